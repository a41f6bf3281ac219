// Finds the later run that prevents an earlier run from being resumed. This is either the undo of
// the earlier run, or a later complete apply of the same files whose history contains the revision
// of the earlier run. For a run that only removed what had expired, a later complete run of the
// same kind counts too. If the earlier run were resumed, its remaining actions could reintroduce
// what somebody has reverted since.
import type { Signer } from '../../model/signer.ts';
import { standingUndos } from '../../model/undoneRuns.ts';
import {
  accountIn,
  isClosedUnfinished,
  isFinished,
  isOfEnds,
  type ReadJournal,
  serverIn,
} from '../../report/run/journalLines.ts';
import { readJournal } from '../journal/journalFile.ts';
import { allJournals, type JournalsHost } from '../journal/journalFolder.ts';
import type { SharedJournals } from '../journal/sharedJournals.ts';
import type { BaseHost, NotingHost } from '../recordedBase/gitPlace.ts';
import type { Overtaking } from '../refusal.ts';
import { type FoundJournal, journalIn } from './foundJournal.ts';
import { isPlanOf } from './remoteRuns.ts';
import { hadRevision } from './revisionInHistory.ts';

/** The journals that are searched for later runs. */
export interface LaterRuns {
  /** The journals at the remote; undefined if the lock is a file. */
  readonly journals: SharedJournals | undefined;
  readonly host: NotingHost;
  readonly signer: Signer;
}

/**
 * The later run that undid or replaced a run, according to the journals of this machine and of the
 * remote; undefined if there is none.
 */
export async function overtakenBy(
  journal: OvertakenJournal,
  { journals, host, signer }: LaterRuns,
): Promise<Overtaking | undefined> {
  if (journal.chain === null) return undefined;
  return overtakingAmong(await textsOf({ journals, host }), { host, signer })(journal);
}

/** The journal of a run that may have been undone or replaced. */
type OvertakenJournal = Pick<FoundJournal, 'plan' | 'lines' | 'chain' | 'text'>;

/** Which later runs count, and how their journals are verified. */
interface LookedFor extends Pick<LaterRuns, 'signer'> {
  readonly host: BaseHost;
  /**
   * Whether an apply counts only if this clone proves that its history contains the revision of the
   * run. By default, an apply also counts in doubt.
   */
  readonly isCertain?: boolean;
}

/**
 * Finds the later run that undid or replaced a run, among the texts of journals. Each text is
 * verified at most once.
 */
export function overtakingAmong(
  all: readonly string[],
  { host, signer, isCertain = false }: LookedFor,
): (journal: OvertakenJournal) => Promise<Overtaking | undefined> {
  const known = new Map<string, readonly ReadRun[]>();
  const read = (text: string): readonly ReadRun[] => {
    const found = known.get(text) ?? readAll([text], signer);
    known.set(text, found);
    return found;
  };
  return async journal => {
    const run = journal.chain?.run;
    if (run === undefined) return undefined;
    const undo = undoOf(run, undosAmong(all.filter(isOfUndo).flatMap(read)));
    if (undo) return { by: undo.run, as: undo.ended === 'complete' ? 'undo' : 'unfinished undo' };
    const later = all
      .filter(text => isComplete(text) && isOfSameAccount(text, journal.text))
      .filter(text => !isOfEnds(text) || isOfEnds(journal.text))
      .flatMap(read)
      .filter(one => one.run !== run && replaces(one, journal, host));
    for (const one of later) {
      const had = await hadRevision(one.plan, journal.plan, host);
      if (had ?? !isCertain) return { by: one.run, as: 'apply' };
    }
    return undefined;
  };
}

/** A journal, and its run. */
type ReadRun = ReadJournal & { readonly run: string };

/** The journal of an undo, and the run that it undoes. */
type ReadUndo = ReadRun & { readonly undoes: string };

/** The undos among runs. */
export const undosAmong = (runs: readonly ReadRun[]): readonly ReadUndo[] =>
  runs.flatMap(one => {
    const undoes = one.lines[0]?.undoes_run;
    return typeof undoes === 'string' ? [{ ...one, undoes }] : [];
  });

// The run that undid a run or began to undo it. A complete undo takes precedence over others. An
// undo that was itself undone completely does not count.
function undoOf(run: string, all: readonly ReadUndo[]): ReadUndo | undefined {
  const complete = standingUndos(all.filter(({ ended }) => ended === 'complete'));
  const isUndone = new Set(complete.map(({ undoes }) => undoes));
  const begun = all.filter(
    ({ ended, entries, run: by }) =>
      ended !== 'complete' && !isUndone.has(by) && entries.some(({ type }) => type === 'send'),
  );
  return [...complete, ...begun].find(({ undoes }) => undoes === run);
}

/** The texts of the journals at the remote and on this machine. */
export async function textsOf({
  journals,
  host,
}: Omit<LaterRuns, 'signer'>): Promise<readonly string[]> {
  const here = (await allJournals(host)).map(file => readJournal(file).catch(() => ''));
  const there = ((await journals?.all()) ?? []).map(({ text }) => text);
  return [...there, ...(await Promise.all(here))];
}

/**
 * Whether the text of a journal may belong to an undo. Only the verified lines of the journal prove
 * this.
 */
export const isOfUndo = (text: string): boolean => text.includes('"undoes_run":"');

/** The verified journals among texts, with the ids of their runs. */
export const readAll = (texts: readonly string[], signer: Signer): readonly ReadRun[] =>
  texts.flatMap(text => {
    const one = journalIn(text, signer);
    return 'chain' in one && one.chain !== null ? { ...one, run: one.chain.run } : [];
  });

const isComplete = (text: string): boolean => isFinished(text) && !isClosedUnfinished(text);

const isOfSameAccount = (text: string, other: string): boolean =>
  serverIn(text) === serverIn(other) && accountIn(text) === accountIn(other);

// Whether a complete run began after the last line of another run and carried out all files of its
// folder.
function replaces(
  { plan, lines }: ReadJournal,
  earlier: OvertakenJournal,
  { cwd }: Pick<JournalsHost, 'cwd'>,
): boolean {
  const [head] = lines;
  if (head?.undoes !== undefined || head?.undoes_run !== undefined) return false;
  if (plan.unselected !== undefined) return false;
  const last = String(earlier.lines.at(-1)?.at);
  return String(head?.at) > last && isPlanOf(plan, { path: earlier.plan.folder, cwd });
}
