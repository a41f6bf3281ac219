// The journal that `--resume` or `--undo` uses: a file, a run of the Git remote, or the last apply of the files.
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { closedRefusal } from '../../apply/earlierRuns/closedRun.ts';
import type { FoundJournal } from '../../apply/earlierRuns/foundJournal.ts';
import {
  isPlanOf,
  isVerified,
  journalOfRun,
  type RemoteRun,
  remoteRuns,
  type VerifiedRun,
} from '../../apply/earlierRuns/remoteRuns.ts';
import { type RunHere, runsHere, runsOfMachine } from '../../apply/earlierRuns/runsHere.ts';
import { journalsFor } from '../../apply/journal/journalFolder.ts';
import type { SharedJournals } from '../../apply/journal/sharedJournals.ts';
import { unwritableJournals } from '../../apply/lock/serverLock.ts';
import {
  type JournalHost,
  openJournal,
  openLastJournal,
  withWholePlan,
} from '../../apply/preconditions/openPlan.ts';
import { isRefusal, type Refusal } from '../../apply/refusal.ts';
import { signerOf } from '../../apply/signing/signer.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { runsNamed } from '../../model/runName.ts';
import type { Signer } from '../../model/signer.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { quoted } from '../../model/text/visible.ts';
import { isFinishedBy } from '../../report/run/forgedEnd.ts';
import { awaitsBase, changesEnds, isOfEnds, wroteNothing } from '../../report/run/journalLines.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { stopOf } from '../refusals/refusals.ts';
import { Stop } from '../stop.ts';
import { refuseOtherFolder } from './runFolder.ts';

/** The requested journal. */
export interface JournalChoice {
  readonly verb: 'resume' | 'undo';
  /** A file, or the beginning of the id of a run; true means the last apply. */
  readonly chosen: string | true;
  /** The files whose last apply the user means. */
  readonly path: string;
  /**
   * The digest of a plan. Selects the journal at the remote of the run that carries out this plan,
   * even if the run is complete.
   */
  readonly ofPlan?: string | undefined;
}

/** The functions and settings with which journals are read. */
export interface JournalReader {
  readonly kinds: KindTable;
  readonly host: JournalHost;
  /** The journals at the remote of the lock; null if the lock is a file. */
  readonly journals: () => Promise<SharedJournals | null>;
}

/** Whether a text is the beginning of the id of a run, not the path of a file. */
export const isRunId = (text: string, { cwd }: Pick<Io, 'cwd'>): boolean =>
  /^[0-9a-f]{8}(?:-[0-9a-f-]{0,27})?$/.test(text) && !existsSync(resolve(cwd, text));

/** The journal that the user means. Throws a `Stop` if there is none, or if it cannot be used. */
export async function chosenJournal(
  choice: JournalChoice,
  reader: JournalReader,
  io: Io,
): Promise<FoundJournal> {
  const found = await foundJournal(choice, reader, io);
  if (isRefusal(found)) throw stopOf(found, io);
  const { verb, chosen, path } = choice;
  if (chosen !== true) refuseOtherFolder(found.plan, { verb, chosen, path }, io);
  return found;
}

async function foundJournal(
  { verb, chosen, path, ofPlan }: JournalChoice,
  { kinds, host, journals }: JournalReader,
  io: Io,
): Promise<FoundJournal | Refusal> {
  if (chosen !== true) refuseFolder(chosen, verb, io);
  if (chosen !== true && !isRunId(chosen, io)) return openJournal(chosen, kinds, host);
  // A scheduled run that only removes what has expired does not count as a user's last apply.
  const isUndo = verb === 'undo';
  const lastOf = { ...host, skipsEnds: isUndo, ...(isUndo && { skipsEmpty: 'but-ends' as const }) };
  const last = chosen === true ? await openLastJournal(path, kinds, lastOf) : null;
  const isMissing = last !== null && isRefusal(last) && last.refused === 'no-journal';
  const unwritable = isMissing ? await unwritableJournals(path, host) : undefined;
  if (unwritable) return unwritable;
  const signer = signerOf(host);
  if (isRefusal(signer)) return signer;
  const shared = await journals();
  const runs = shared === null ? [] : await remoteRuns(shared, signer);
  const isGone = last !== null && isRefusal(last) && last.refused === 'journal-gone';
  if (isGone && !runs.some(({ run }) => run === last.run)) return last;
  const planned = ofPlan === undefined ? undefined : runOf(ofPlan, runs);
  if (planned) return journalWithPlan(planned, { kinds, host }, signer);
  const named = chosen === true ? [] : runsNamed(runs, chosen);
  const here = chosen === true ? [] : await journalsNamed(chosen, path, host);
  const onlyHere = here.filter(({ run }) => !named.some(one => one.run === run));
  const [own] = onlyHere;
  if (own && named.length + onlyHere.length === 1) return openJournal(own.file, kinds, host);
  if (chosen !== true && (named.length !== 1 || own))
    return { refused: 'no-run', run: chosen, found: [...named, ...onlyHere] };
  const run = named[0] ?? newest(runs, verb, { path, cwd: io.cwd, url: host.url }) ?? null;
  if (run === null) {
    const none = lost(last, runs, signer) ?? { refused: 'no-run', run: '' };
    const isShared = isRefusal(none) && none.refused === 'no-journal' && shared !== null;
    return isShared ? { ...none, alsoAtRemote: verb } : none;
  }
  if (isNewer(last, run, { runs, verb })) return last ?? { refused: 'no-run', run: '' };
  if ('ended' in run.read && run.read.ended === 'closed' && verb === 'resume')
    return closedRefusal(run.run, run.text, run.read.plan.folder);
  return isVerified(run) ? journalWithPlan(run, { kinds, host }, signer) : unusable(run);
}

// Refuses a folder as the value of the flag, which should be a run or a journal. A user who names a
// folder there meant the folder of the apply.
function refuseFolder(chosen: string, verb: JournalChoice['verb'], { cwd }: Io): void {
  if (statSync(resolve(cwd, chosen), { throwIfNoEntry: false })?.isDirectory() !== true) return;
  throw new Stop(
    EXIT.usage,
    `${quoted(chosen)} is a folder, and \`--${verb}\` takes a run or a journal`,
    `${verb} the last apply of that folder with \`meshform apply ${shellWord(chosen)} --${verb}\``,
  );
}

// The run of a plan. A closed run is not continued, whatever it did.
const runOf = (digest: string, runs: readonly RemoteRun[]): VerifiedRun | undefined =>
  runs.filter(isVerified).find(({ read }) => read.digest === digest && read.ended !== 'closed');

async function journalWithPlan(
  run: VerifiedRun,
  { kinds, host }: Pick<JournalReader, 'kinds' | 'host'>,
  signer: Signer,
): Promise<FoundJournal | Refusal> {
  const folder = await journalsFor(run.read.plan.folder, host);
  return withWholePlan(await journalOfRun(run, folder, signer), kinds);
}

/**
 * The runs on this machine that a text names, with their journals: runs of the files at `path` or,
 * if there are none, runs of any folder.
 */
export async function journalsNamed(
  text: string,
  path: string,
  host: JournalHost,
): Promise<readonly RunHere[]> {
  const own = runsNamed(await runsHere(path, host), text);
  // The folder may have been moved since.
  return own.length > 0 ? own : runsNamed(await runsOfMachine(host), text);
}

// The newest run that can be continued or undone. Runs of other files or other servers are skipped.
function newest(
  runs: readonly RemoteRun[],
  verb: JournalChoice['verb'],
  of: { readonly path: string; readonly cwd: string; readonly url: string | undefined },
): VerifiedRun | undefined {
  return runs
    .filter(isVerified)
    .find(
      ({ read, text }) =>
        (verb === 'undo'
          ? !isOfEnds(text) && (!wroteNothing(text) || changesEnds(text))
          : read.ended === 'cut off' || read.ended === 'incomplete' || awaitsBase(text)) &&
        isPlanOf(read.plan, of) &&
        (of.url === undefined || read.server === undefined || read.server === of.url),
    );
}

// Whether to choose the last journal of this machine instead of the run at the remote. If a journal
// exists only on this machine, the lock of its apply was a file, or the apply sent nothing.
function isNewer(
  last: FoundJournal | Refusal | null,
  run: RemoteRun,
  { runs, verb }: { readonly runs: readonly RemoteRun[]; readonly verb: JournalChoice['verb'] },
): boolean {
  if (last === null || isRefusal(last)) return false;
  const own = last.chain?.run;
  if (own === run.run) return true;
  if (runs.some(one => one.run === own)) return false;
  return verb === 'undo' ? beganAt(last) > beganAt(run.read) : last.ended !== 'complete';
}

const beganAt = (journal: object): string => {
  const [head] = 'lines' in journal && Array.isArray(journal.lines) ? journal.lines : [];
  return String(Object(head).at ?? '');
};

// The reason why no run can be continued. If there are several reasons, a journal that no key of
// this run signed is reported first.
function lost(
  last: FoundJournal | Refusal | null,
  runs: readonly RemoteRun[],
  signer: Signer,
): FoundJournal | Refusal | null {
  const [open] = runs.filter(
    run => !isVerified(run) && !isCopyOfOther(run) && !isFinishedBy(run.text, signer),
  );
  const isMissing = last === null || (isRefusal(last) && last.refused === 'no-journal');
  return isMissing && open ? unusable(open) : last;
}

// Whether a copy of a journal is stored under the name of another run. Only somebody else can have
// stored it there.
const isCopyOfOther = ({ run, read }: RemoteRun): boolean =>
  'chain' in read && read.chain !== null && read.chain.run !== run;

function unusable({ run, read }: RemoteRun): Refusal {
  if ('why' in read) return { refused: 'journal-invalid', file: run, why: read.why };
  const line = 'unverified' in read ? read.unverified : 1;
  return { refused: 'journal-unverified', file: run, line };
}

/** The signer of journals. Throws a `Stop` if there is none. */
export function journalSigner(host: JournalHost, io: Io): Signer {
  const signer = signerOf(host);
  if (isRefusal(signer)) throw stopOf(signer, io);
  return signer;
}
