// Counts pairs of a machine and a destination. The number of future members is unknown, so they
// count as one machine, and only if there are no current machines. For example, a group with
// machines counts as these machines, and an empty group as one machine.
import {
  and,
  type Bits,
  count,
  countCommon,
  has,
  intersect,
  isEmpty,
  minus,
  noBits,
  orInto,
  withoutOne,
} from '../sets/bits.ts';
import type { World } from '../world/world.ts';
import type { TargetRows } from './targetRows.ts';

/** A count of pairs. */
export interface PairCount {
  /** Adds the sources that gain or lose access to a target. */
  readonly add: (rows: Pick<TargetRows, 'target' | 'itself'>, sources: Bits) => void;
  readonly pairs: () => number;
}

/**
 * Counts pairs in a state. For gains, this is the state after a plan; for losses, the state before
 * it.
 */
export function pairCount({ today, approved, internet }: World): PairCount {
  // Includes the future members of a group that only the other state has. The list of changes shows
  // these members, so the count must not be 0.
  const future = minus(approved, today);
  /**
   * `current`: machines that gain or lose a destination that is not a future member. `atFuture`:
   * machines that gain or lose future members as a destination.
   */
  const current = noBits();
  const atFuture = noBits();
  let pairs = 0;
  let isAmongFuture = false;
  return {
    pairs: () => {
      const found = pairs + count(minus(atFuture, current));
      return found === 0 && isAmongFuture ? 1 : found;
    },
    add: ({ target, itself }, all) => {
      const sources = itself < 0 ? all : withoutOne(all, itself);
      if (isEmpty(sources)) return;
      const machines = countCommon(sources, today);
      const isJoined = intersect(sources, future);
      if (target.type === 'machine' && has(future, target.index)) {
        orInto(atFuture, and(sources, today));
        isAmongFuture ||= isJoined;
        return;
      }
      if (target.type === 'machine' && !has(today, target.index)) return;
      pairs += machines === 0 && isJoined ? 1 : machines;
      pairs += intersect(sources, internet) ? 1 : 0;
      orInto(current, and(sources, today));
    },
  };
}
