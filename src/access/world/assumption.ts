// Assumptions that replace known facts about some members, for questions such as "what if the agent is old?".
import type { Bits } from '../sets/bits.ts';
import type { Facts } from '../state/accessState.ts';

export interface Assumption {
  readonly members: Bits;
  /** Facts that replace the known ones. */
  readonly facts?: Facts;
  /** Whether the members pass every posture check. */
  readonly passes?: boolean;
}
