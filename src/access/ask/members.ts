// The members and targets of a selector.
import type { Reaches } from '../flows/reaches.ts';
import { type RoutedTarget, routedTargets, type Target } from '../flows/targets.ts';
import { add, type Bits, bitsOf, indexesIn, noBits, or } from '../sets/bits.ts';
import { namesOf } from '../world/roster.ts';
import type { World } from '../world/world.ts';
import { distanceWithin } from './address.ts';
import type { Selector } from './selector.ts';

/** The members that match a selector; undefined if the state has no such object, or only objects that cannot be sources. */
export function membersOf(world: World, { type, name }: Selector): Bits | undefined {
  const { positions } = world;
  switch (type) {
    case 'all':
      return or(world.today, world.approved);
    case 'group':
      return positions.group.has(name) ? world.inGroups([name]) : undefined;
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

/**
 * The targets that a selector names; undefined if it matches nothing in the state. `closest`: of matching ranges, the
 * narrowest.
 */
export function targetsOf(
  reaches: Reaches,
  selector: Selector,
  closest = false,
): readonly Target[] | undefined {
  const { world } = reaches;
  const routed = routedOf(routedTargets(world), world, selector, closest);
  const members = membersOf(world, selector);
  if (members === undefined && routed === undefined) return undefined;
  const machines = [...indexesIn(members ?? noBits())].map(
    (index): Target => ({ type: 'machine', index }),
  );
  return [...machines, ...(routed ?? [])];
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
  const indexes = state.machines.flatMap(({ ip, key }) =>
    ip !== undefined && distanceWithin(ip, address) !== undefined
      ? (positions.machine.get(key) ?? [])
      : [],
  );
  return indexes.length === 0 ? undefined : bitsOf(indexes);
}

function routedOf(
  all: readonly RoutedTarget[],
  world: World,
  { type, name }: Selector,
  closest: boolean,
): readonly RoutedTarget[] | undefined {
  switch (type) {
    case 'all':
      return all;
    case 'group':
      return world.positions.group.has(name) ? inGroup(all, world, name) : undefined;
    case 'network_resource':
      return some(all, ({ resources }) =>
        resources.some(one => namesOf(one.resource).includes(name)),
      );
    case 'network': {
      const isKnown = world.state.networks.some(network => namesOf(network).includes(name));
      const own = all.filter(({ resources }) =>
        resources.some(one => namesOf(one.network).includes(name)),
      );
      return isKnown ? own : undefined;
    }
    case 'route':
      return some(all, ({ routes }) =>
        routes.some(route => route.networkId === name || namesOf(route).includes(name)),
      );
    case 'address':
      return covering(all, name, closest);
    default:
      return undefined;
  }
}

function inGroup(
  all: readonly RoutedTarget[],
  world: World,
  name: string,
): readonly RoutedTarget[] {
  return all.filter(({ resources }) =>
    resources.some(({ resource }) => resource.groups.some(key => isGroup(world, key, name))),
  );
}

function isGroup({ positions }: World, key: string, name: string): boolean {
  const index = positions.group.get(name);
  return index !== undefined && positions.group.get(key) === index;
}

function some(
  all: readonly RoutedTarget[],
  isMeant: (target: RoutedTarget) => boolean,
): readonly RoutedTarget[] | undefined {
  const found = all.filter(isMeant);
  return found.length === 0 ? undefined : found;
}

function covering(
  all: readonly RoutedTarget[],
  address: string,
  closest: boolean,
): readonly RoutedTarget[] | undefined {
  const found = all.flatMap(target => {
    const distance = distanceWithin(address, target.address);
    return distance === undefined ? [] : [{ target, distance }];
  });
  const [least] = found.map(({ distance }) => distance).sort((one, other) => one - other);
  const kept = found.filter(({ distance }) => !closest || distance === least);
  return kept.length === 0 ? undefined : kept.map(({ target }) => target);
}
