// A finding with the narrowings that it proposes, before these have been checked.
import { keptByOwner } from '../../access/narrow/keptDestinations.ts';
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

/**
 * The finding as kept, with the reason, if the owner of the object wants to keep it; otherwise
 * undefined.
 */
export function silencedByOwner({ finding, object }: Candidate): KeptFinding | undefined {
  const kept = keptByOwner(object);
  return kept && { finding, ...kept };
}
