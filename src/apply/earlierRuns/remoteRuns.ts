// The runs whose journals are in a Git remote. Finds the unfinished runs, and the journal with
// which a machine continues a run.
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { LockRecord } from '../../model/lockRecord.ts';
import type { Plan } from '../../model/plan.ts';
import type { Signer } from '../../model/signer.ts';
import { type CompleteUndo, standingUndos } from '../../model/undoneRuns.ts';
import { pathInRepository } from '../../read/git/workRevision.ts';
import { isFinishedBy } from '../../report/run/forgedEnd.ts';
import {
  awaitsBase,
  isFinished,
  type JournalFault,
  type ReadJournal,
} from '../../report/run/journalLines.ts';
import { journalsIn, readJournal } from '../journal/journalFile.ts';
import { runIn, type SharedJournal, type SharedJournals } from '../journal/sharedJournals.ts';
import { type FoundJournal, journalIn } from './foundJournal.ts';

/** A run at the remote. */
export interface RemoteRun extends SharedJournal {
  readonly run: string;
  readonly read: ReadJournal | JournalFault;
}

/**
 * A run at the remote whose journal has valid signatures, made with keys of the current process.
 */
export interface VerifiedRun extends RemoteRun {
  readonly read: ReadJournal;
}

/** Whether the journal of a run is verified. A journal without signatures is never verified. */
export const isVerified = (run: RemoteRun): run is VerifiedRun =>
  'chain' in run.read && run.read.chain?.run === run.run;

/**
 * Whether a run holds the lock. The lock names the run or, if another machine continues the run,
 * its plan.
 */
export const holdsLock = ({ run, read }: RemoteRun, lock: LockRecord | null | undefined): boolean =>
  lock?.is === 'run' && (lock.id === run || ('digest' in read && lock.plan === read.digest));

/** All runs at the remote, newest first. Rejects if git fails. */
export async function remoteRuns(
  journals: SharedJournals,
  signer: Signer,
): Promise<readonly RemoteRun[]> {
  return (await journals.all()).map(journal => runOf(journal, signer));
}

/**
 * The runs at the remote that are neither finished nor undone, or whose base is not recorded,
 * newest first. Rejects if git fails.
 */
export async function unfinishedRuns(
  journals: SharedJournals,
  signer: Signer,
): Promise<readonly RemoteRun[]> {
  const all = await journals.all();
  const open = all.filter(({ text }) => !isFinishedBy(text, signer) || awaitsBase(text));
  // An undone run has left nothing, unless somebody has continued it since.
  const undoing = open.length === 0 ? [] : undoingAt(all, signer);
  const undos = undosIn(undoing);
  const undone = new Set(undos.map(({ undoes }) => undoes));
  return open
    .map(journal => runOf(journal, signer))
    .filter(one => !undone.has(one.run) || (!awaitsBase(one.text) && goesOnAfter(one, undos)));
}

// Whether a run has a line that is newer than its last undo.
function goesOnAfter({ run, read }: RemoteRun, undos: ReturnType<typeof undosIn>): boolean {
  const last = 'lines' in read ? String(read.lines.at(-1)?.at) : undefined;
  const begun = undos.flatMap(({ undoes, by }) =>
    undoes === run ? String(by.read.lines[0]?.at) : [],
  );
  return last === undefined || begun.every(at => at < last);
}

/** The unfinished runs that are signed with these keys and not undone. Rejects if git fails. */
export async function runsToClose(
  journals: SharedJournals,
  signer: Signer,
): Promise<readonly VerifiedRun[]> {
  const open = (await unfinishedRuns(journals, signer)).filter(isVerified);
  const undone = open.length === 0 ? new Set() : undoneAt(await journals.all(), signer);
  return open.filter(({ run }) => !undone.has(run));
}

/**
 * The ids of the runs that another of these runs has undone completely, unless that undo was undone
 * itself.
 */
export const undoneIn = (all: readonly RemoteRun[]): ReadonlySet<unknown> =>
  new Set(undosIn(all).map(({ undoes }) => undoes));

/** The complete undos among these runs that nobody has undone. */
export const undosIn = (
  all: readonly RemoteRun[],
): readonly (CompleteUndo & { readonly by: VerifiedRun })[] =>
  standingUndos(
    all.filter(isVerified).flatMap(by => {
      const { ended, lines } = by.read;
      const undoes = lines[0]?.undoes_run;
      const isUndo = ended === 'complete' && typeof undoes === 'string';
      return isUndo ? [{ run: by.run, undoes, by }] : [];
    }),
  );

/** The ids of the runs that were undone completely, according to these journals. */
export const undoneAt = (all: readonly SharedJournal[], signer: Signer): ReadonlySet<unknown> =>
  undoneIn(undoingAt(all, signer));

// Only journals that may undo a run are read.
const undoingAt = (all: readonly SharedJournal[], signer: Signer): readonly RemoteRun[] =>
  all
    .filter(({ text }) => isFinished(text) && text.includes('"undoes_run":"'))
    .map(journal => runOf(journal, signer));

const runOf = (journal: SharedJournal, signer: Signer): RemoteRun => ({
  ...journal,
  run: runIn(journal.name) ?? '',
  read: journalIn(journal.text, signer),
});

/** Whether a plan is for the files at `path`: a folder or a file of desired state. */
export function isPlanOf(
  { folder, base }: Pick<Plan, 'folder' | 'base'>,
  { path, cwd }: { readonly path: string; readonly cwd: string },
): boolean {
  const file = resolve(cwd, path);
  const recorded = base?.content?.folder;
  return recorded === undefined
    ? resolve(cwd, folder) === file
    : recorded === pathInRepository(file);
}

/**
 * The newest run at the remote of the plan with this digest, with its name; null if there is none.
 * Rejects if git fails.
 */
export async function runOfPlan(
  journals: SharedJournals,
  digest: string,
  signer: Signer,
): Promise<FoundJournal | null> {
  const named = (await journals.all()).filter(({ text }) => text.includes(digest));
  const run = named.map(journal => runOf(journal, signer)).find(isVerified);
  return run?.read.digest === digest ? copyOf(run) : null;
}

const copyOf = ({ read, run, text }: VerifiedRun): FoundJournal => ({
  ...read,
  path: run,
  text,
  isCopy: true,
});

/**
 * The copy of a journal at the remote, if it is signed and has lines that the journal lacks;
 * otherwise null. A machine that was killed, or whose disk was full, may have pushed more lines
 * than it wrote to its disk. Rejects if git fails.
 */
export async function fullerCopy(
  journal: FoundJournal,
  journals: SharedJournals,
  signer: Signer,
): Promise<FoundJournal | null> {
  const there = await continuedElsewhere(journals, journal);
  const run = there && runOf(there, signer);
  return run && isVerified(run) ? copyOf(run) : null;
}

/**
 * The journal of a run on this machine if it has all lines that the remote has; otherwise a copy of
 * the journal at the remote.
 */
export async function journalOfRun(
  { name, run, text, read }: VerifiedRun,
  folder: string,
  signer: Signer,
): Promise<FoundJournal> {
  for (const path of await journalsIn(folder)) {
    const own = await readJournal(path).catch(() => '');
    if (!own.startsWith(text) || !own.slice(0, own.indexOf('\n')).includes(run)) continue;
    const found = journalIn(own, signer);
    if ('chain' in found && found.chain?.run === run) return { ...found, path, text: own };
  }
  return { ...read, path: join(folder, name), text, isCopy: true };
}

/** Writes a copy of a journal to this machine. Resolves to the written journal; rejects if it cannot be written. */
export async function keptHere(copy: FoundJournal): Promise<FoundJournal> {
  for (let number = 1; ; number++) {
    const path = number === 1 ? copy.path : copy.path.replace(/(\.jsonl)$/, `-${number}$1`);
    try {
      await writeFile(path, copy.text, { flag: 'wx', mode: 0o600 });
      return { ...copy, path };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/**
 * The journal at the remote of a run that another machine has continued; undefined if the remote
 * has no lines that this journal lacks.
 */
export async function continuedElsewhere(
  journals: SharedJournals,
  { chain, text }: Pick<FoundJournal, 'chain' | 'text'>,
): Promise<SharedJournal | undefined> {
  const there = (await journals.all()).find(({ name }) => runIn(name) === chain?.run);
  return there === undefined || text.startsWith(there.text) ? undefined : there;
}

/**
 * The journal from which the run may be continued: this journal, or the journal at the remote if
 * that one has more lines. Null if the run may not be continued, for example after `--abandon`.
 * Rejects if git fails.
 */
export async function journalToContinue(
  journal: FoundJournal,
  journals: SharedJournals | undefined,
  signer: Signer,
): Promise<FoundJournal | null> {
  const there = journals && (await continuedElsewhere(journals, journal));
  if (there !== undefined)
    return isFinishedBy(there.text, signer) ? null : { ...journal, path: runIn(there.name) ?? '' };
  return journal.ended === 'closed' ? null : journal;
}
