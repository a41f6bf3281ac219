// Which members of a world the outsiders of a service may be: machines that call it over the overlay, and users who sign in.
import { add, and, type Bits, bitsOf, copyOf, indexesIn, withoutOne } from '../sets/bits.ts';
import type { Machine, Outsiders } from '../state/accessState.ts';
import { overlayAddresses } from '../state/machines.ts';
import { haveCommonAddresses } from './address.ts';
import { groupsThere } from './groupsThere.ts';
import type { World } from './world.ts';

/** Where a caller must come from to be taken for a machine of the account. */
const TUNNEL = ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'];

/** The machines that may call a service over the overlay, including future machines. */
export function callersOf(
  world: Pick<World, 'state' | 'approved' | 'today' | 'machineAt' | 'inGroups'>,
  { groups, refusesBlocked }: Outsiders,
): Bits {
  const { state, approved, today } = world;
  const blocked = new Set(refusesBlocked ? state.blockedUsers : []);
  const members = and(groups === undefined ? approved : world.inGroups(groups), approved);
  let callers = members;
  for (const index of indexesIn(and(members, today))) {
    const machine = world.machineAt(index);
    const isRefused = machine?.user !== undefined && blocked.has(machine.user);
    if (machine && (isRefused || !comesByTunnel(machine))) callers = withoutOne(callers, index);
  }
  return callers;
}

// The addresses of a machine that only files describe are not known.
function comesByTunnel(machine: Machine): boolean {
  const addresses = overlayAddresses(machine);
  const isPrivate = (address: string) => TUNNEL.some(range => haveCommonAddresses(address, range));
  return addresses.length === 0 || addresses.some(isPrivate);
}

/**
 * The members that represent users of these groups: those of the groups, and the machines of a user who has one of them as an
 * auto-group. The user signs in there, whether or not the machine has joined.
 */
export function signedInOf({ state, positions, inGroups }: World, groups: readonly string[]): Bits {
  const members = copyOf(inGroups(groups));
  const there = new Set(groupsThere(groups, state));
  const ids = new Set(
    state.enrolments
      .filter(one => one.by === 'user' && one.groups.some(group => there.has(group)))
      .map(({ id }) => id),
  );
  for (const { key, user } of state.machines) {
    const index = positions.machine.get(key);
    if (index !== undefined && user !== undefined && ids.has(user)) add(members, index);
  }
  return members;
}

/** The members that these outsiders are if they are single ones of a group; undefined if they are all of it. */
export function singleOnes({ positions }: World, { single }: Outsiders): Bits | undefined {
  if (single === undefined) return undefined;
  return bitsOf(single.flatMap(({ type, key }) => positions[type].get(key) ?? []));
}
