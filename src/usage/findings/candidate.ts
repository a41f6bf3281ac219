// A finding with the narrowings that it proposes, before these have been checked.
import type { Narrowing } from '../../access/narrow/narrowing.ts';
import type { Desired } from '../../model/object.ts';
import type { KeptFinding, TightenFinding } from '../../model/tightening.ts';

/** A possible finding. */
export interface Candidate {
  readonly finding: TightenFinding;
  /** The object as the files declare it. */
  readonly object: Desired;
  readonly narrowings: readonly Narrowing[];
  /** How much access the finding removes; larger means more. */
  readonly breadth: number;
}

/** The finding, kept because the owner of the object says so, with the reason; undefined if the owner does not. */
export function keptByOwner({
  finding,
  object: { lifecycle },
}: Candidate): KeptFinding | undefined {
  const { keep_access: reason, break_glass: isBreakGlass, protect: isProtected } = lifecycle;
  if (reason !== undefined) return { finding, by: 'lifecycle', reason };
  if (isBreakGlass) return { finding, by: 'break-glass', reason: 'break-glass object' };
  return isProtected ? { finding, by: 'protect', reason: 'protected' } : undefined;
}
