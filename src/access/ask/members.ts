// The members of a selector.
import { add, and, type Bits, bitsOf, noBits, or } from '../sets/bits.ts';
import type { Machine } from '../state/accessState.ts';
import { namesOf } from '../world/roster.ts';
import type { World } from '../world/world.ts';
import { distanceWithin } from './address.ts';
import type { Selector } from './selector.ts';

/** The members that match a selector; undefined if the state has no such object, or only objects that cannot be sources. */
export function membersOf(world: World, { type, name }: Selector): Bits | undefined {
  const { positions, present } = world;
  switch (type) {
    case 'all':
      return and(or(world.today, world.approved), present);
    case 'internet':
      return and(world.internet, present);
    case 'group':
      return positions.group.has(name) ? and(world.inGroups([name]), present) : undefined;
    case 'peer': {
      const index = positions.machine.get(name);
      return index === undefined ? undefined : bitsOf([index]);
    }
    case 'user':
      return ofUser(world, name);
    case 'address':
      return atAddress(world, name);
    default:
      return undefined;
  }
}

function ofUser({ state, positions }: World, name: string): Bits | undefined {
  const user = state.enrolments.find(one => one.by === 'user' && namesOf(one).includes(name));
  if (user === undefined) return undefined;
  const bits = noBits();
  const toCome = positions.user.get(user.key);
  if (toCome !== undefined) add(bits, toCome);
  for (const { key, user: owner } of state.machines) {
    const index = owner !== undefined && owner === user.id ? positions.machine.get(key) : undefined;
    if (index !== undefined) add(bits, index);
  }
  return bits;
}

function atAddress({ state, positions }: World, address: string): Bits | undefined {
  const indexes = state.machines.flatMap(machine =>
    overlayAddresses(machine).some(one => distanceWithin(one, address) !== undefined)
      ? (positions.machine.get(machine.key) ?? [])
      : [],
  );
  return indexes.length === 0 ? undefined : bitsOf(indexes);
}

/** The addresses of a machine in the overlay network. */
export const overlayAddresses = ({ ip, ipv6 }: Pick<Machine, 'ip' | 'ipv6'>): readonly string[] =>
  [ip, ipv6].filter(address => address !== undefined);
