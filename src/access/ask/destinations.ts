// The destinations of a selector. An object stands for its addresses, so everything else that
// serves one of these addresses is also a destination, such as a route, an exit node, or a second
// network resource.
import { type RoutedTarget, routedTargets, type Target } from '../flows/targets.ts';
import { type Bits, bitsOf, indexesIn, noBits, or } from '../sets/bits.ts';
import { overlayAddresses } from '../state/machines.ts';
import { distanceWithin } from '../world/address.ts';
import { namesOf } from '../world/roster.ts';
import type { World } from '../world/world.ts';
import { addressSpace, isEverywhere, type Place, placesIn, placesThrough } from './addressSpace.ts';
import { membersOf } from './members.ts';
import type { Selector } from './selector.ts';

/** Everything that serves any address of the objects that a selector names; undefined if the state has no such object. */
export function targetsOf(world: World, selector: Selector): readonly Target[] | undefined {
  if (selector.type === 'all') return ownTargetsOf(world, selector);
  const machines = machinesOf(world, selector) ?? machinesNamed(world, selector);
  const addresses = addressesOf(world, selector);
  if (machines === undefined && addresses === undefined) return undefined;
  const routed = [
    ...targetsServing(world, addresses ?? []),
    ...targetsAround(world, overlayOf(world, machines ?? [])),
  ];
  return [...(machines ?? []), ...new Set(routed)];
}

/**
 * The targets that a source must reach to reach the objects of a selector. They are the objects
 * themselves or, for an address, the narrowest ranges that cover it. Undefined if the state has no
 * such object.
 */
export function ownTargetsOf(world: World, selector: Selector): readonly Target[] | undefined {
  const routed = objectsOf(world, selector);
  const machines =
    machinesOf(world, selector) ?? (routed ? undefined : machinesNamed(world, selector));
  if (machines === undefined && routed === undefined) return undefined;
  return [...(machines ?? []), ...(routed ?? [])];
}

/** The addresses and domains that a selector names; undefined if it names none in the state. */
export function addressesOf(world: World, selector: Selector): readonly string[] | undefined {
  if (selector.type === 'address') {
    const places = [selector.name, ...world.names.leadsTo(selector.name)];
    return targetsServing(world, places).length > 0 ? places : undefined;
  }
  return objectsOf(world, selector)?.flatMap(placesOf);
}

/** The targets that overlap any of these addresses and domains. */
export function targetsServing(
  world: World,
  addresses: readonly string[],
): readonly RoutedTarget[] {
  return targetsTouching(world, addresses, () => true);
}

/** The targets from `targetsServing` that lead to the addresses only if a router translates between IPv6 and IPv4. */
export function targetsTranslating(
  world: World,
  addresses: readonly string[],
): readonly RoutedTarget[] {
  const touches = addressSpace(addresses.flatMap(placesIn));
  return targetsServing(world, addresses).filter(
    target => !placesOf(target).flatMap(placesIn).some(touches),
  );
}

/**
 * The routed targets that lead to an address of one of these targets, without the target itself.
 * `machines`: the machines that a machine target stands for.
 */
export function targetsBeside(
  world: World,
  target: Target,
  machines: Iterable<number> = [],
): readonly RoutedTarget[] {
  if (target.type !== 'machine')
    return targetsServing(world, placesOf(target)).filter(({ id }) => id !== target.id);
  const all = [...machines].map((index): Target => ({ type: 'machine', index }));
  return targetsAround(world, overlayOf(world, all));
}

function targetsTouching(
  world: World,
  addresses: readonly string[],
  counts: (place: Place) => boolean,
): readonly RoutedTarget[] {
  if (addresses.length === 0) return [];
  const touches = addressSpace(addresses.flatMap(placesIn));
  return routedTargets(world).filter(target =>
    placesAt(target).some(place => counts(place) && touches(place)),
  );
}

/** The overlay addresses of machines. */
export const overlayOf = (world: World, machines: readonly Target[]): readonly string[] =>
  machines.flatMap(target => {
    const machine = target.type === 'machine' ? world.machineAt(target.index) : undefined;
    return machine ? overlayAddresses(machine) : [];
  });

/**
 * The routed targets that cover one of these overlay addresses. Default routes do not count: machines send everything to them
 * except traffic for the overlay network.
 */
export function targetsAround(world: World, overlay: readonly string[]): readonly RoutedTarget[] {
  return targetsTouching(world, overlay, place => !isEverywhere(place));
}

/** The address of a target, and the addresses and names to which its name leads. */
export const placesOf = ({ address, also }: RoutedTarget): readonly string[] => [address, ...also];

const known = new WeakMap<RoutedTarget, readonly Place[]>();

function placesAt(target: RoutedTarget): readonly Place[] {
  const places = known.get(target) ?? placesOf(target).flatMap(placesThrough);
  known.set(target, places);
  return places;
}

function machinesOf(world: World, selector: Selector): readonly Target[] | undefined {
  // The destinations on the internet are unknown, and the callers of a service are not destinations.
  const isOutside = selector.type === 'internet' || selector.type === 'proxy_service';
  const members = isOutside ? undefined : membersOf(world, selector);
  if (members === undefined) return undefined;
  return [...indexesIn(members)].map((index): Target => ({ type: 'machine', index }));
}

/**
 * The members that a selector covers, and the machines to which a name leads. These machines are destinations of the name, but
 * not sources.
 */
export function coveredMembers(world: World, selector: Selector): Bits {
  const named = machinesNamed(world, selector) ?? [];
  const indexes = named.flatMap(one => (one.type === 'machine' ? one.index : []));
  return or(membersOf(world, selector) ?? noBits(), bitsOf(indexes));
}

// The machines at the addresses of a domain.
function machinesNamed(world: World, { type, name }: Selector): readonly Target[] | undefined {
  const places = type === 'address' ? world.names.leadsTo(name) : undefined;
  if (places === undefined || places.size === 0) return undefined;
  const found = world.state.machines.flatMap((machine): Target[] => {
    const index = world.positions.machine.get(machine.key);
    const isThere = overlayAddresses(machine).some(one => places.has(one));
    return isThere && index !== undefined ? [{ type: 'machine', index }] : [];
  });
  return found.length === 0 ? undefined : found;
}

function objectsOf(world: World, { type, name }: Selector): readonly RoutedTarget[] | undefined {
  const all = routedTargets(world);
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
      return narrowestOver(all, name);
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

function narrowestOver(
  all: readonly RoutedTarget[],
  address: string,
): readonly RoutedTarget[] | undefined {
  const found = all.flatMap(target => {
    const distance = distanceWithin(address, target.address);
    return distance === undefined ? [] : [{ target, distance }];
  });
  const least = found.reduce((most, { distance }) => Math.min(most, distance), Infinity);
  const narrowest = found.filter(({ distance }) => distance === least);
  return narrowest.length === 0 ? undefined : narrowest.map(({ target }) => target);
}
