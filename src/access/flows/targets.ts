// What can be reached: machines, and the addresses that networks and routes offer.
import type { AccountReach } from '../accountReach.ts';
import { resourceDestination, routeDestination } from '../routed/delivery.ts';
import type { Row } from '../sets/row.ts';
import type { AccessState, Network, Resource, Route } from '../state/accessState.ts';
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
  /** The resources with this address; usually one. */
  readonly resources: readonly { readonly network: Network; readonly resource: Resource }[];
  readonly routes: readonly Route[];
}

/**
 * The index of the one machine that a target is, which is no source for it; -1 where the target is none. A future member
 * stands for two machines or more, and these are sources for each other.
 */
export function itselfIn({ members }: Pick<World, 'members'>, target: Target): number {
  if (target.type !== 'machine') return -1;
  return members[target.index]?.type === 'machine' ? target.index : -1;
}

/** Who reaches a target. */
export function rowAt(reach: AccountReach, target: Target): Row {
  return target.type === 'machine'
    ? reach.machines.rowAt(target.index)
    : reach.routedRow(target.id);
}

const known = new WeakMap<World, readonly RoutedTarget[]>();

/** The routed targets of a world, whether or not anybody reaches them. */
export function routedTargets(world: World): readonly RoutedTarget[] {
  const targets = known.get(world) ?? targetsIn(world);
  known.set(world, targets);
  return targets;
}

function targetsIn({ state, siteOf }: World): readonly RoutedTarget[] {
  const resources = Map.groupBy(resourcesIn(state), ({ network, resource }) =>
    resourceDestination(siteOf(network, resource.address), resource.address),
  );
  const routes = Map.groupBy(routesIn(state), ({ route, address }) =>
    routeDestination(route.networkId, address),
  );
  return [
    ...[...resources].map(
      ([id, same]): RoutedTarget => ({
        type: 'network_resource',
        id,
        resources: same,
        routes: [],
        address: same[0]?.resource.address ?? '',
      }),
    ),
    ...[...routes].map(
      ([id, same]): RoutedTarget => ({
        type: 'route',
        id,
        resources: [],
        routes: same.map(({ route }) => route),
        address: same[0]?.address ?? '',
      }),
    ),
  ];
}

function resourcesIn({ networks }: AccessState) {
  return networks.flatMap(network => network.resources.map(resource => ({ network, resource })));
}

function routesIn({ routes }: AccessState) {
  return routes.flatMap(route => route.addresses.map(address => ({ route, address })));
}
