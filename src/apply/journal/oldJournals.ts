// Which journals at a remote are removed once there are many: never one of which somebody still has something to do, or to know.
import type { Signer } from '../../model/signer.ts';
import {
  awaitsBase,
  isFinished,
  isSignedJournal,
  lastMoment,
  leavesSomething,
  undoIn,
} from '../../report/run/journalLines.ts';

/** How many runs are kept besides those that are never removed. */
export const KEPT = 100;

/** The file of a journal, and its text. */
interface Journal {
  readonly name: string;
  readonly text: string;
}

/** How journals are verified. */
interface Verifying {
  /** The id of the run in the name of a file. */
  readonly runOf: (journal: Journal) => string | undefined;
  readonly signer: Signer;
}

/**
 * The names of the journals that are removed; `journals` has the oldest first. An unfinished run is never removed, nor one that was closed
 * while something of it was left: plans name that. What no key of this run signed is removed first: anybody who can push can add it.
 */
export function journalsToRemove(
  journals: readonly Journal[],
  { runOf, signer }: Verifying,
): readonly string[] {
  const isVerified = (journal: Journal) => isSignedJournal(journal.text, signer, runOf(journal));
  const verified = journals.filter(isVerified);
  const signed = new Set(verified);
  const unverified = journals.filter(journal => !signed.has(journal));
  const undone = undoneIn(verified);
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

// By run, when its last complete undo began.
function undoneIn(verified: readonly Journal[]): ReadonlyMap<string | undefined, string> {
  const undone = new Map<string | undefined, string>();
  for (const { text } of verified) {
    const undo = undoIn(text);
    if (undo) undone.set(undo.run, undo.at);
  }
  return undone;
}
