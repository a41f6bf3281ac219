// The machines that serve a network or a route.
import { add, and, type Bits, has, indexesIn, isEmpty, noBits } from '../sets/bits.ts';
import type { Servers } from '../state/accessState.ts';
import type { World } from '../world/world.ts';

/** Everyone who would serve it once they are there, those to come too. */
export function everyServer({ inGroups, machineOf }: World, { machine, groups }: Servers): Bits {
  const bits = inGroups(groups).slice();
  const index = machine === undefined ? undefined : machineOf(machine);
  if (index !== undefined) add(bits, index);
  return bits;
}

/** Who serves it today. A group without machines is served by the member to come that joins it alone. */
export function serversOf(world: World, { machine, groups }: Servers): Bits {
  const { machineOf, inGroups, today, places, size } = world;
  const bits = noBits(size);
  const index = machine === undefined ? undefined : machineOf(machine);
  if (index !== undefined) add(bits, index);
  for (const group of groups) {
    const machines = and(inGroups([group]), today);
    const toCome = places.group.get(group);
    if (!isEmpty(machines)) for (const one of indexesIn(machines)) add(bits, one);
    else if (toCome !== undefined) add(bits, toCome);
  }
  return bits;
}

/** The routing machines that are approved; of routes only those whose login has not expired. */
export function ableServers(world: World, servers: Bits, needsLogin: boolean): readonly number[] {
  return [...indexesIn(servers)].filter(
    index =>
      has(world.approved, index) &&
      !(needsLogin && world.machineAt(index)?.isLoginExpired === true),
  );
}
