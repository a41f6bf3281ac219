// A finding with the narrowings that it proposes, before it is known whether they may be proposed.
import type { Narrowing } from '../../access/narrow/narrowing.ts';
import type { Desired } from '../../model/object.ts';
import type { KeptFinding, TightenFinding } from '../../model/tightening.ts';

/** A possible finding. */
export interface Candidate {
  readonly finding: TightenFinding;
  /** The object as the files declare it. */
  readonly object: Desired;
  readonly narrowings: readonly Narrowing[];
  /** Larger for a finding that takes more access away. */
  readonly breadth: number;
}

/** The finding as one that the owner of the object keeps, with the reason; undefined if nobody keeps it. */
export function keptByOwner({
  finding,
  object: { lifecycle },
}: Candidate): KeptFinding | undefined {
  const { keep_access: reason, break_glass: isBreakGlass, protect: isProtected } = lifecycle;
  if (reason !== undefined) return { finding, by: 'lifecycle', reason };
  if (isBreakGlass) return { finding, by: 'break-glass', reason: 'break-glass object' };
  return isProtected ? { finding, by: 'protect', reason: 'protected' } : undefined;
}
