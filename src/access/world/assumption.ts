// What is assumed of some members instead of what is known about them, for questions such as "and with an old agent?".
import type { Bits } from '../sets/bits.ts';
import type { Facts } from '../state/accessState.ts';

export interface Assumption {
  readonly members: Bits;
  /** Facts that take the place of the known ones. */
  readonly facts?: Facts;
  /** Whether they pass every posture check. */
  readonly passes?: boolean;
}
