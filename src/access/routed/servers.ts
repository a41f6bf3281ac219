// The machines that serve a network or a route.
import { add, and, type Bits, copyOf, intersect, noBits, orInto } from '../sets/bits.ts';
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
 * The current machines that serve the network or route, limited to machines that can (`able`). If
 * routing machines are assumed, the future member of a group without routing machines serves too.
 */
export function serversOf(world: World, { machine, groups }: Servers, able: Bits): Bits {
  const { machineOf, inGroups, today, positions, state } = world;
  const bits = noBits();
  const index = machine === undefined ? undefined : machineOf(machine);
  if (index !== undefined) add(bits, index);
  orInto(bits, and(inGroups(groups), today));
  if (state.areRoutersAssumed === true)
    for (const group of groupsWithoutMachine(world, { groups }, able)) {
      const toCome = positions.group.get(group);
      if (toCome !== undefined) add(bits, toCome);
    }
  return and(bits, able);
}

/** The groups of routing machines of a network or route that contain no machine that can serve. */
export function groupsWithoutMachine(
  { inGroups, today }: Pick<World, 'inGroups' | 'today'>,
  { groups }: Pick<Servers, 'groups'>,
  able: Bits,
): readonly string[] {
  const machines = and(today, able);
  return groups.filter(group => !intersect(inGroups([group]), machines));
}

/**
 * The members that can serve a network. A machine with an expired login still serves networks in
 * the network maps of the server.
 */
export const ableForNetworks = ({ approved }: World): Bits => approved;

/** The members that can serve a route. A machine stops delivering routes when its login expires. */
export const ableForRoutes = ({ connected }: World): Bits => connected;
