// The access of files that nobody used, as findings with their edits.
import { type LintInput, lintContext } from '../../access/lint/context.ts';
import { trialOf } from '../../access/narrow/trial.ts';
import type { GuardedAccess } from '../../model/access/accessGates.ts';
import { byPosition } from '../../model/byPosition.ts';
import type { ObjectEdit } from '../../model/objectEdit.ts';
import type {
  FindingState,
  NarrowedObject,
  TightenedObject,
  Tightening,
} from '../../model/tightening.ts';
import type { Candidate } from './candidate.ts';
import { duplicates } from './duplicates.ts';
import { editsIn, settled } from './settle.ts';

/** Valid files, and what was observed of their account. */
export interface TightenInput extends LintInput {
  readonly guarded: readonly GuardedAccess[];
}

/** The findings, and the edits of the certain ones. */
export interface Tightened {
  readonly tightening: Tightening;
  readonly edits: readonly ObjectEdit[];
  /** Whether a part of these edits gives nobody access, and keeps what tests and guards need. */
  readonly isSafe: (edits: readonly ObjectEdit[]) => boolean;
}

/** Finds what the files can give up. */
export function tightened(input: TightenInput): Tightened {
  const context = lintContext(input);
  const { accessTests: tests, guarded, desired, asKept } = input;
  const candidates = duplicates(context);
  const trial = trialOf({ desired, asKept, tests, guarded });
  const { proposed, kept } = settled(candidates, trial, () => false);
  const certain = proposed.filter(({ finding }) => finding.state === 'certain');
  return {
    tightening: { objects: inOrder(proposed), kept },
    edits: editsIn(certain),
    isSafe: edits => trial.objection(edits) === undefined,
  };
}

const RANK: Readonly<Record<FindingState, number>> = { certain: 0, decide: 1, unknown: 2 };

// The best first: what is certain, then what takes the most access away.
function inOrder(proposed: readonly Candidate[]): readonly TightenedObject[] {
  const ordered = proposed.toSorted(
    (one, other) =>
      RANK[one.finding.state] - RANK[other.finding.state] ||
      other.breadth - one.breadth ||
      byPosition(one.finding.at, other.finding.at),
  );
  const byObject = Map.groupBy(ordered, ({ finding }) => nameOf(finding.object));
  return [...byObject.values()].flatMap(own => {
    const [first] = own;
    return first
      ? [{ object: first.finding.object, findings: own.map(({ finding }) => finding) }]
      : [];
  });
}

const nameOf = ({ kind, key, rule = '' }: NarrowedObject): string =>
  JSON.stringify([kind, key, rule]);
