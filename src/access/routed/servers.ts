// The machines that serve a network or a route.
import { add, and, type Bits, copyOf, indexesIn, isEmpty, noBits } from '../sets/bits.ts';
import type { Servers } from '../state/accessState.ts';
import type { World } from '../world/world.ts';

/** All machines that serve the network or route, including future machines. */
export function everyServer({ inGroups, machineOf }: World, { machine, groups }: Servers): Bits {
  const bits = copyOf(inGroups(groups));
  const index = machine === undefined ? undefined : machineOf(machine);
  if (index !== undefined) add(bits, index);
  return bits;
}

/** The current machines that serve the network or route. A group without machines is represented by its future member. */
export function serversOf(world: World, { machine, groups }: Servers): Bits {
  const { machineOf, inGroups, today, positions } = world;
  const bits = noBits();
  const index = machine === undefined ? undefined : machineOf(machine);
  if (index !== undefined) add(bits, index);
  for (const group of groups) {
    const machines = and(inGroups([group]), today);
    const toCome = positions.group.get(group);
    if (!isEmpty(machines)) for (const one of indexesIn(machines)) add(bits, one);
    else if (toCome !== undefined) add(bits, toCome);
  }
  return bits;
}

/** The routing machines that are among those that can deliver. */
export const ableServers = (servers: Bits, able: Bits): readonly number[] => [
  ...indexesIn(and(servers, able)),
];
