// The machines, future members and addresses that a selector covers before a plan, and that no selector covers after it.

import { addressesOf, coveredMembers } from '../ask/destinations.ts';
import type { Selector } from '../ask/selector.ts';
import { and, type Bits, minus, noBits } from '../sets/bits.ts';
import { distanceWithin } from '../world/address.ts';
import type { States } from './movedAccess.ts';

/** A target that is no longer covered, although it still exists. */
export interface UncoveredTarget {
  /** Machines, and future members of groups, setup keys and users. */
  readonly members: Bits;
  /** Addresses, ranges and domains. They exist in every state. */
  readonly addresses: readonly string[];
}

/** The targets that `was` covers before a plan and no selector of `is` covers after it. */
export function uncoveredTargets(
  { before, after }: States,
  was: Selector,
  is: readonly Selector[],
): UncoveredTarget {
  if (is.some(({ type }) => type === 'all')) return { members: noBits(), addresses: [] };
  const members = is
    .map(one => coveredMembers(after.world, one))
    .reduce(minus, coveredMembers(before.world, was));
  // A guarded name covers the addresses to which it resolves, even if no object serves them.
  const covered = is.flatMap(one =>
    one.type === 'address'
      ? [one.name, ...after.world.names.leadsTo(one.name)]
      : (addressesOf(after.world, one) ?? []),
  );
  const isCovered = (address: string) =>
    covered.some(range => distanceWithin(address, range) !== undefined);
  const addresses = new Set(addressesOf(before.world, was) ?? []);
  return {
    members: and(members, after.world.present),
    addresses: [...addresses].filter(address => !isCovered(address)).sort(),
  };
}
