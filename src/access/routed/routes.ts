// Routes: who receives one, which rules its routing machine sees, and what it delivers.
import { and, type Bits, has, minus, noBits, orInto, withOne } from '../sets/bits.ts';
import type { RowPool } from '../sets/rowPool.ts';
import type { Route } from '../state/accessState.ts';
import type { CompiledPolicy } from '../world/policies.ts';
import { countingIn, type Reading } from '../world/reading.ts';
import type { World } from '../world/world.ts';
import type { Delivery } from './delivery.ts';
import { type Edges, edgesIn } from './edges.ts';
import { routedEntries } from './entries.ts';
import { ableServers, everyServer, serversOf } from './servers.ts';

/** What the routing machines of all enabled routes deliver. */
export function routeDeliveries(world: World, reading: Reading, pool: RowPool): Delivery[] {
  const edges = edgesIn(world, reading);
  const counting = countingIn(world, reading);
  return world.state.routes
    .filter(({ isEnabled }) => isEnabled)
    .flatMap(route => {
      const isOpen = route.accessControl.length === 0;
      const distribution = and(world.inGroups(route.distribution), world.approved);
      const able = ableServers(world, serversOf(world, route.servers), true);
      return able.flatMap(router => {
        const receivers = receiversFrom(world, route, router, edges);
        const entries = controllingPolicies(world, route)
          .filter(policy => sees(world, router, policy, edges))
          .flatMap(policy =>
            routedEntries(policy, counting(policy.policy), distribution, pool),
          );
        const what = { type: 'route', route } as const;
        return route.addresses.map(address => ({ what, address, router, receivers, entries, isOpen }));
      });
    });
}

/** Who receives a route from one of its routing machines. */
export function receiversFrom(
  world: World,
  route: Route,
  router: number,
  edges: Edges,
): Bits {
  const distribution = and(world.inGroups(route.distribution), world.approved);
  // A machine that serves the same route receives it from nobody else.
  const others = minus(and(distribution, edges.to(router)), servingSame(world, route));
  if (route.accessControl.length === 0 || !has(distribution, router)) return others;
  return withOne(others, router);
}

/** Everyone who serves the route or another one of its network id and range, disabled ones too. */
export function servingSame(world: World, route: Route): Bits {
  const serving = noBits(world.size);
  for (const other of world.state.routes)
    if (isSame(other, route)) orInto(serving, everyServer(world, other.servers));
  return serving;
}

/** The enabled policies that control a route: a rule of theirs, even a disabled one, has one of its groups as destination. */
export function controllingPolicies(
  { policies }: World,
  { accessControl }: Route,
): readonly CompiledPolicy[] {
  if (accessControl.length === 0) return [];
  return policies.filter(
    ({ policy, rules }) =>
      policy.isEnabled && rules.some(({ rule }) => hasDestination(rule.destination, accessControl)),
  );
}

/**
 * Whether a routing machine has a policy at all: an enabled rule touches the machine, or names an access-control group of
 * an enabled route that it serves or receives.
 */
export function sees(
  world: World,
  router: number,
  { rules }: CompiledPolicy,
  edges: Edges,
): boolean {
  const active = rules.filter(({ isActive }) => isActive);
  if (active.some(compiled => edges.touches(compiled, router))) return true;
  const groups = world.state.routes
    .filter(route => route.isEnabled && concerns(world, route, router, edges))
    .flatMap(({ accessControl }) => accessControl);
  return active.some(({ rule }) => hasDestination(rule.destination, groups));
}

function concerns(world: World, route: Route, router: number, edges: Edges): boolean {
  if (has(everyServer(world, route.servers), router)) return true;
  if (!has(world.inGroups(route.distribution), router)) return false;
  const servers = ableServers(world, serversOf(world, route.servers), true);
  return servers.some(server => has(edges.to(server), router));
}

function hasDestination(
  destination: CompiledPolicy['rules'][number]['rule']['destination'],
  groups: readonly string[],
): boolean {
  return destination.type === 'groups' && destination.groups.some(group => groups.includes(group));
}

function isSame(one: Route, other: Route): boolean {
  return (
    one.networkId === other.networkId && one.addresses.join('\n') === other.addresses.join('\n')
  );
}
