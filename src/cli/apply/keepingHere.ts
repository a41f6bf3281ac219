// `apply --abandon` for the journals of this machine.
import { resolve } from 'node:path';
import { type FoundJournal, journalIn } from '../../apply/earlierRuns/foundJournal.ts';
import type { closedJournal } from '../../apply/earlierRuns/unfinished.ts';
import { JournalFile } from '../../apply/journal/journalFile.ts';
import { runIn } from '../../apply/journal/sharedJournals.ts';
import { journalsAt } from '../../apply/lock/journalBeside.ts';
import type { JournalHost } from '../../apply/preconditions/openPlan.ts';
import { journalRef } from '../../base/refName.ts';
import { shortRun } from '../../model/runName.ts';
import type { Signer } from '../../model/signer.ts';
import { quoted } from '../../model/text/visible.ts';
import { folderOf } from '../../read/files/projectFilesAbove.ts';
import { repositoryOf } from '../../read/git/repository.ts';
import { fetchRefs, isFault } from '../../read/remote/remoteRefs.ts';
import { isFinishedBy } from '../../report/run/forgedEnd.ts';
import {
  awaitsBase,
  journalEnd,
  leavesSomething,
  type ReadJournal,
} from '../../report/run/journalLines.ts';
import type { Project } from '../../source/project/project.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { stopOf } from '../refusals/refusals.ts';
import { withRemote } from '../remoteOfClone.ts';
import { Stop } from '../stop.ts';
import { journalSigner, journalsNamed } from './chosenJournal.ts';
import { refuseOtherFolder } from './runFolder.ts';

/**
 * Keeps what a run left in the account, if the lock is not at a remote. In that case, only the
 * journals of this machine show what the run left. Resolves to the exit code; throws a `Stop`.
 */
export async function keepHere(
  { abandon, path }: { readonly abandon: string; readonly path: string },
  host: JournalHost,
  { lock_remote: chosen }: Pick<Project, 'lock_remote'>,
  io: Io,
): Promise<number> {
  const signer = journalSigner(host, io);
  const found = await journalsNamed(abandon, path, host);
  const [run] = found;
  if (!run || found.length > 1) throw stopOf({ refused: 'no-run', run: abandon, found }, io);
  const { file, text } = run;
  const read = journalIn(text, signer);
  if ('why' in read) throw stopOf({ refused: 'journal-invalid', file, why: read.why }, io);
  if ('unverified' in read)
    throw stopOf({ refused: 'journal-unverified', file, line: read.unverified }, io);
  refuseOtherFolder(read.plan, { verb: 'abandon', chosen: abandon, path }, io);
  await refuseOpenAtRemote(read, { path, chosen }, signer, io);
  if (!(await closeHere({ ...read, path: file, text }, { by: 'person', leaves: [] }, io.now())))
    throw new Stop(
      EXIT.environment,
      `the journal ${quoted(file)} cannot be written`,
      'check whether a run of meshform has the journal open, and who may write to it',
    );
  say(io.stderr, leftStays(abandon));
  return EXIT.done;
}

// Refuses a run whose lock is at a remote. Its journal is there too, so closing only the local
// journal would not change the plans of other machines.
async function refuseOpenAtRemote(
  { chain, plan: { account } }: ReadJournal,
  { path, chosen }: { readonly path: string; readonly chosen: string | undefined },
  signer: Signer,
  io: Io,
): Promise<void> {
  const folder = folderOf(resolve(io.cwd, path));
  if (account === undefined || !chain || repositoryOf(folder) === null) return;
  await withRemote({ folder, host: io }, chosen, io, async openRemote => {
    const remote = await openRemote();
    if (remote === null) return;
    const refs = await fetchRefs(remote, [journalRef(account)]);
    const run = shortRun(chain.run);
    if (isFault(refs))
      throw new Stop(
        EXIT.refused,
        `it is unknown whether the journal of the run ${run} is at the remote ${quoted(remote.name)}, too: ${refs.why}`,
        'make the remote reachable for git; if nobody uses it any more, remove it with `git remote remove`',
      );
    const journals = await journalsAt(remote, { atRemote: refs }, { account, now: io.now });
    const there = (await journals.all()).find(({ name }) => runIn(name) === chain.run);
    if (there === undefined || !isOpenStill(there.text, signer)) return;
    throw new Stop(
      EXIT.refused,
      `the journal of the run ${run} is at the remote ${quoted(remote.name)}, too: what the run left would still be planned there`,
      'run it without `--lock file` and `lock: file`, which closes the journal at the remote and here',
    );
  });
}

const isOpenStill = (text: string, signer: Signer): boolean =>
  !isFinishedBy(text, signer) || awaitsBase(text) || leavesSomething(text);

/**
 * Closes the journal on this machine, so that no command suggests to continue its run. Resolves to
 * whether the line is written. A failure does not matter if the journal at the remote is closed.
 */
export async function closeHere(
  own: FoundJournal,
  { by, leaves }: Parameters<typeof closedJournal>[1],
  at: number,
): Promise<boolean> {
  const now = () => at;
  const lineOf = (entry: object) => own.chain?.copy().lineOf(entry) ?? '';
  const file = await JournalFile.continue(own, { now, lineOf }).catch(() => null);
  const written = file?.write(journalEnd(by, leaves)).then(
    () => true,
    () => false,
  );
  const isWritten = (await written) ?? false;
  await file?.close();
  return isWritten;
}

/** The sentence about what a run left. */
export const leftStays = (abandon: string): string =>
  `What the run ${quoted(abandon)} left stays in the account, and no plan names it any more.`;
