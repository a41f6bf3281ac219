// Selects the journals to remove from a remote when there are too many. A journal is kept if
// somebody still has to act on it or read it.
import type { Signer } from '../../model/signer.ts';
import { standingUndos } from '../../model/undoneRuns.ts';
import {
  awaitsBase,
  isFinished,
  isSignedJournal,
  lastMoment,
  leavesSomething,
  undoIn,
} from '../../report/run/journalLines.ts';

/** How many runs are kept in addition to the runs that are never removed. */
export const KEPT = 100;

/** The file of a journal, and its text. */
interface Journal {
  readonly name: string;
  readonly text: string;
}

/** The functions with which journals are verified. */
interface Verifying {
  /** The id of the run in the name of a journal's file. */
  readonly runOf: (journal: Journal) => string | undefined;
  readonly signer: Signer;
}

/**
 * The names of the journals to remove; `journals` are sorted, oldest first. An unfinished run is
 * never removed. A run that was closed before everything was cleaned up is kept too, because plans
 * report what it left. Journals that no key of this run signed are removed first, because anybody
 * who can push can add such a journal.
 */
export function journalsToRemove(
  journals: readonly Journal[],
  { runOf, signer }: Verifying,
): readonly string[] {
  const isVerified = (journal: Journal) => isSignedJournal(journal.text, signer, runOf(journal));
  const verified = journals.filter(isVerified);
  const signed = new Set(verified);
  const unverified = journals.filter(journal => !signed.has(journal));
  const undone = undoneIn(verified, runOf);
  const isUndone = (journal: Journal) => {
    const at = undone.get(runOf(journal));
    return at !== undefined && (lastMoment(journal.text) ?? at) <= at;
  };
  const old = verified.filter(journal => isUndone(journal) || !isNeeded(journal.text));
  const removable = [...unverified, ...old];
  return removable.slice(0, Math.max(0, removable.length - KEPT)).map(({ name }) => name);
}

const isNeeded = (text: string): boolean =>
  !isFinished(text) || awaitsBase(text) || leavesSomething(text);

// For each undone run, the time at which its last complete undo began. An undo that was itself
// undone does not count.
function undoneIn(
  verified: readonly Journal[],
  runOf: Verifying['runOf'],
): ReadonlyMap<string | undefined, string> {
  const undos = verified.flatMap(journal => {
    const undo = undoIn(journal.text);
    const run = runOf(journal);
    return undo && run !== undefined ? [{ run, undoes: undo.run, at: undo.at }] : [];
  });
  return new Map(standingUndos(undos).map(({ undoes, at }) => [undoes, at]));
}
