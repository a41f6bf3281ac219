// Assumptions about some members that replace known facts, for questions such as "and with an old agent?".
import type { Bits } from '../sets/bits.ts';
import type { Facts } from '../state/accessState.ts';

export interface Assumption {
  readonly members: Bits;
  /** Facts that replace the known ones. */
  readonly facts?: Facts;
  /** Whether they pass every posture check. */
  readonly passes?: boolean;
}
