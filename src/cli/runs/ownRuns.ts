// The applies of the account of a folder, from the journals in the Git remote and on this machine.
import { resolve } from 'node:path';
import { journalIn, unverifiedIn } from '../../apply/earlierRuns/foundJournal.ts';
import { overtakingAmong } from '../../apply/earlierRuns/overtaken.ts';
import { holdsLock, type RemoteRun, remoteRuns } from '../../apply/earlierRuns/remoteRuns.ts';
import { runsOfAccount } from '../../apply/earlierRuns/runsHere.ts';
import { sharedRefs } from '../../apply/lock/accountRefs.ts';
import { journalsAt } from '../../apply/lock/journalBeside.ts';
import type { NotingHost } from '../../apply/recordedBase/gitPlace.ts';
import type { Signer } from '../../model/signer.ts';
import { quoted } from '../../model/text/visible.ts';
import { folderOf } from '../../read/files/projectFilesAbove.ts';
import { isFault } from '../../read/remote/remoteRefs.ts';
import { isFinishedBy } from '../../report/run/forgedEnd.ts';
import type { JournalOfRun } from '../../report/runRecords.ts';
import { folderOfBase } from '../base/ownBase.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { tellGoneJournals, tellInTheWay } from '../lock/foreignRefs.ts';
import { fetchedFromStop } from '../lock/otherFetchAddress.ts';
import { lockNow } from '../lock/sharedBases.ts';
import { machineOf, NOBODY, signerIn } from '../machine.ts';
import { foundElsewhere, tellAsNote } from '../otherRemotes.ts';
import { projectOrStop } from '../project.ts';
import { withRemote } from '../remoteOfClone.ts';
import { Stop } from '../stop.ts';

/** The applies, newest first. Throws a `Stop` if the remote does not answer. */
export async function ownRuns(path: string, io: Io): Promise<readonly JournalOfRun[]> {
  const signer = signerIn(io);
  return withRunsAtRemote(path, signer, io, async (shared, host) => {
    const all = await withRunsHere(shared, path, signer, io);
    return signer === null ? all : withReplaced(all, { signer, host });
  });
}

// Adds the runs of this machine to the runs at the remote, newest first.
async function withRunsHere(
  shared: readonly ShownRun[],
  path: string,
  signer: Signer | null,
  io: Io,
): Promise<readonly ShownRun[]> {
  const names = new Set(shared.map(({ run }) => run));
  const here = await shownHere(path, signer, io);
  const own = new Map(here.map(one => [one.run, one]));
  const known = shared.map(there => fuller(there, own.get(there.run)));
  const onlyHere = here.filter(({ run }) => !names.has(run));
  return [...known, ...onlyHere].sort((a, b) => timeOf(b).localeCompare(timeOf(a)));
}

// Adds to each unfinished run the later run that replaced it. Nobody can resume a replaced run. If
// this clone cannot judge a run, nothing is added to it.
async function withReplaced(
  all: readonly ShownRun[],
  known: { readonly signer: Signer; readonly host: NotingHost },
): Promise<readonly ShownRun[]> {
  const texts = all.map(({ text }) => text);
  const overtaking = overtakingAmong(texts, { ...known, isCertain: true });
  return Promise.all(
    all.map(async one => {
      const { read, text } = one;
      const isOpen = read?.ended === 'incomplete' || read?.ended === 'cut off';
      if (!read || !isOpen || !one.isVerified) return one;
      const later = await overtaking({ ...read, text });
      return later?.as === 'apply' ? { ...one, replacedBy: later.by } : one;
    }),
  );
}

interface ShownRun extends JournalOfRun {
  readonly text: string;
}

// Chooses the more complete journal of a run. The copy at the remote lacks the lines that the run
// wrote after its last push. The local journal lacks lines of another machine, or of a person who
// closed the run.
function fuller(there: ShownRun, here: ShownRun | undefined): ShownRun {
  if (here === undefined || here.isVerified !== true) return there;
  const hasAll = here.text.startsWith(there.text) || there.isVerified !== true;
  return hasAll ? { ...here, ...(there.holdsLock && { holdsLock: true }) } : there;
}

const timeOf = ({ read }: JournalOfRun): string => String(read?.lines[0]?.at ?? '');

// Calls `use` with the runs at the remote, and with a host for this machine, while the fetched
// history of the bases is available.
async function withRunsAtRemote<T>(
  path: string,
  signer: Signer | null,
  io: Io,
  use: (runs: readonly ShownRun[], host: NotingHost) => Promise<T>,
): Promise<T> {
  const own = machineOf(io);
  const { account, place } = await folderOfBase(path, io);
  const { lock_remote: chosen, lock } = projectOrStop(io, folderOf(resolve(io.cwd, path)));
  if (lock === 'file') return use([], own);
  return withRemote(place, chosen, io, async open => {
    const remote = await open();
    if (remote === null) return use([], own);
    const refs = await sharedRefs(remote, account);
    if (isFault(refs)) {
      const hint = refs.hint ?? 'check the remote with `git ls-remote`';
      const message = `the remote ${quoted(remote.name)} does not answer: ${refs.why}`;
      throw new Stop(EXIT.failed, message, hint);
    }
    tellInTheWay(refs, remote, io);
    tellGoneJournals(refs, { remote, account }, io);
    const found = await foundElsewhere(remote, { account, writesFor: path }, io);
    for (const { stop } of found.overlooked) tellAsNote(stop, io);
    const fetched = await fetchedFromStop(remote, account);
    if (fetched !== null) tellAsNote(fetched, io);
    const journals = await journalsAt(remote, refs, { account, now: io.now });
    const runs = await remoteRuns(journals, signer ?? NOBODY);
    const holder = runs.some(({ text }) => !isFinishedBy(text, signer ?? NOBODY))
      ? await lockNow(remote, account, io)
      : null;
    const shown = runs.map(run => ({ ...shownRun(run), holdsLock: holdsLock(run, holder) }));
    return use(shown, { ...own, shared: refs.shared });
  });
}

function shownRun({ run, text, read }: Pick<RemoteRun, 'run' | 'text' | 'read'>): ShownRun {
  // A copy of the journal of another run says nothing about this run.
  if ('chain' in read) return { run, text, read, isVerified: read.chain?.run === run };
  if ('why' in read) return { run, text, read: undefined, why: read.why };
  const unverified = unverifiedIn(text);
  return unverified
    ? { run, text, read: unverified, isVerified: false }
    : { run, text, read: undefined };
}

async function shownHere(
  path: string,
  signer: Signer | null,
  io: Io,
): Promise<readonly ShownRun[]> {
  const { account } = await folderOfBase(path, io);
  const found = await runsOfAccount(account, path, machineOf(io));
  return found.map(({ run, text }) =>
    shownRun({ run, text, read: journalIn(text, signer ?? NOBODY) }),
  );
}
