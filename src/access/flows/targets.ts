// The targets that can be reached: machines, and the addresses that networks and routes offer.
import type { AccountReach } from '../accountReach.ts';
import type { Row } from '../sets/row.ts';
import type { AccessState, Network, Resource, Route, Router } from '../state/accessState.ts';
import {
  destinationBehind,
  resourceDestination,
  routeDestination,
} from '../world/destinationNames.ts';
import type { World } from '../world/world.ts';

export type Target = MachineTarget | RoutedTarget;

export interface MachineTarget {
  readonly type: 'machine';
  readonly index: number;
}

/** An address of one network, or of the routes with one network id. */
export interface RoutedTarget {
  readonly type: 'network_resource' | 'route';
  readonly id: string;
  readonly address: string;
  /**
   * The address in the rules of the routing machines: the domain or address that leads to this
   * target, if there is one.
   */
  readonly served: string;
  /** The addresses and names to which a domain leads. */
  readonly also: readonly string[];
  /**
   * Present if a domain or address leads to this target. `by`: the id of the target with that
   * domain or address. `place`: the id of this target among the places to which that domain or
   * address leads.
   */
  readonly leadingTarget?: { readonly by: string; readonly place: string };
  /** The resources with this address; usually one. */
  readonly resources: readonly { readonly network: Network; readonly resource: Resource }[];
  readonly routes: readonly Route[];
}

/**
 * The index of the target machine, which is not its own source; -1 if the target is not a single
 * machine. A future member stands for at least two machines, which are sources for each other.
 */
export function itselfIn({ members }: Pick<World, 'members'>, target: Target): number {
  if (target.type !== 'machine') return -1;
  return members[target.index]?.type === 'machine' ? target.index : -1;
}

/** The routers and routes that lead to a target; empty for a machine. */
export const servingAt = (target: Target): readonly (Router | Route)[] =>
  target.type === 'machine'
    ? []
    : [...target.resources.flatMap(({ network }) => network.routers), ...target.routes];

/** The row of a target: the sources that reach it. */
export function rowAt(reach: AccountReach, target: Target): Row {
  return target.type === 'machine'
    ? reach.machines.rowAt(target.index)
    : reach.routedRow(target.id);
}

const known = new WeakMap<World, readonly RoutedTarget[]>();

/** The routed targets of a state, even if nobody reaches them. */
export function routedTargets(world: World): readonly RoutedTarget[] {
  const targets = known.get(world) ?? targetsIn(world);
  known.set(world, targets);
  return targets;
}

/**
 * The routed targets of two states. If a name leads to a place in only one of the states, the place
 * is a separate target, even if the target with the name is in that state only, because records and
 * zones can be the cause of access to the place.
 */
export function routedTargetsOf(worlds: readonly [World, World]): readonly RoutedTarget[] {
  const all = worlds.flatMap(routedTargets);
  return [...new Map(all.map(target => [target.id, target])).values()];
}

/**
 * The routed targets of two states. If a target of only one state leads to places, they are not
 * separate targets, because for a question about an address they are parts of that target.
 */
export function wholeTargetsOf(worlds: readonly [World, World]): readonly RoutedTarget[] {
  const ids = worlds.map(world => new Set(routedTargets(world).map(({ id }) => id)));
  return routedTargetsOf(worlds).filter(
    ({ leadingTarget }) =>
      leadingTarget === undefined || ids.every(known => known.has(leadingTarget.by)),
  );
}

function targetsIn(world: World): readonly RoutedTarget[] {
  const { state, siteOf } = world;
  const resources = Map.groupBy(resourcesIn(state), ({ network, resource }) =>
    resourceDestination(siteOf(network, resource.address), resource.address),
  );
  const routes = Map.groupBy(routesIn(state), ({ route, address }) =>
    routeDestination(route.networkId, address),
  );
  return [
    ...[...resources].flatMap(([id, same]) =>
      targetsAt(world, same[0]?.resource.address ?? '', {
        type: 'network_resource',
        id,
        resources: same,
        routes: [],
      }),
    ),
    ...[...routes].flatMap(([id, same]) =>
      targetsAt(world, same[0]?.address ?? '', {
        type: 'route',
        id,
        resources: [],
        routes: same.map(({ route }) => route),
      }),
    ),
  ];
}

// If a destination resolves to different places in different states, it becomes several targets:
// the destination itself, and each of these places.
function targetsAt(
  { names }: World,
  address: string,
  what: Omit<RoutedTarget, 'address' | 'served' | 'also'>,
): readonly RoutedTarget[] {
  const own = { ...what, address, served: address, also: [...names.leadsTo(address)] };
  const led = names.movedOf(address, what.id).map(
    (place): RoutedTarget => ({
      ...own,
      id: destinationBehind(what.id, place.id),
      address: place.address,
      also: place.also,
      leadingTarget: { by: what.id, place: place.id },
    }),
  );
  return [own, ...led];
}

function resourcesIn({ networks }: AccessState) {
  return networks.flatMap(network => network.resources.map(resource => ({ network, resource })));
}

function routesIn({ routes }: AccessState) {
  return routes.flatMap(route => route.addresses.map(address => ({ route, address })));
}
