// The machines that serve a network or a route.
import {
  add,
  and,
  type Bits,
  copyOf,
  indexesIn,
  intersect,
  minus,
  noBits,
  orInto,
} from '../sets/bits.ts';
import type { Servers } from '../state/accessState.ts';
import type { World } from '../world/world.ts';

/** All machines that serve the network or route, including future machines. */
export function everyServer({ inGroups, machineOf }: World, { machine, groups }: Servers): Bits {
  const bits = copyOf(inGroups(groups));
  const index = machine === undefined ? undefined : machineOf(machine);
  if (index !== undefined) add(bits, index);
  return bits;
}

/**
 * The current machines that serve the network or route. If routing machines are assumed, the future member of a group without
 * approved machines serves too.
 */
export function serversOf(world: World, { machine, groups }: Servers): Bits {
  const { machineOf, inGroups, today, positions, state } = world;
  const bits = noBits();
  const index = machine === undefined ? undefined : machineOf(machine);
  if (index !== undefined) add(bits, index);
  orInto(bits, and(inGroups(groups), today));
  if (state.areRoutersAssumed !== true) return bits;
  for (const group of groupsWithoutMachine(world, { groups })) {
    const toCome = positions.group.get(group);
    if (toCome !== undefined) add(bits, toCome);
  }
  return bits;
}

/** The groups of routing machines of a network or route that have no approved machine. */
export function groupsWithoutMachine(
  { inGroups, today, awaiting }: Pick<World, 'inGroups' | 'today' | 'awaiting'>,
  { groups }: Servers,
): readonly string[] {
  const machines = minus(today, awaiting);
  return groups.filter(group => !intersect(inGroups([group]), machines));
}

/** The routing machines that are among those that can deliver. */
export const ableServers = (servers: Bits, able: Bits): readonly number[] => [
  ...indexesIn(and(servers, able)),
];
