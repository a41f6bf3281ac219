// A finding with the narrowings that it proposes, before it is known whether they may be proposed.
import type { Narrowing } from '../../access/narrow/narrowing.ts';
import type { Desired } from '../../model/object.ts';
import type { TightenFinding } from '../../model/tightening.ts';

/** A possible finding. */
export interface Candidate {
  readonly finding: TightenFinding;
  /** The object as the files declare it. */
  readonly object: Desired;
  readonly narrowings: readonly Narrowing[];
  /** Larger for a finding that takes more access away. */
  readonly breadth: number;
}
