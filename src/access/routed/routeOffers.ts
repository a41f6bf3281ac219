// Routes: their receivers, the rules at their routing machines, and the deliveries.
import { and, type Bits, has, minus, noBits, orInto, withOne } from '../sets/bits.ts';
import type { RowPool } from '../sets/rowPool.ts';
import type { Route } from '../state/accessState.ts';
import type { CompiledPolicy } from '../world/compiledPolicies.ts';
import { routeDestination } from '../world/destinationNames.ts';
import type { Posture } from '../world/reading.ts';
import type { World } from '../world/world.ts';
import { once } from './computedOnce.ts';
import type { Delivery, Offer } from './delivery.ts';
import { type Edges, edgesIn } from './edges.ts';
import { namesAny } from './loadedGroups.ts';
import { nearbyOf } from './nearby.ts';
import { routedEntries } from './routedEntries.ts';
import { type ServedRoute, servedRoutes } from './servedRoutes.ts';
import type { SourcesAt } from './sourcesAtRouters.ts';

/** The deliveries of the routing machines of all enabled routes. */
export function routeOffers(
  world: World,
  reading: Posture,
  { pool, sourcesAt }: { readonly pool: RowPool; readonly sourcesAt: SourcesAt },
): Offer[] {
  const edges = edgesIn(world, reading);
  const routes = servedRoutes(world);
  const nearby = nearbyOf(world, reading, routes, sourcesAt);
  return routes.flatMap(served => {
    const { route, servers, distribution } = served;
    if (!route.isEnabled) return [];
    const atRouters = once((): readonly Omit<Delivery, 'address' | 'destination'>[] => {
      const controlling = controllingPolicies(world, route);
      const same = servingSame(routes, route);
      return servers.map(router => ({
        what: { type: 'route', route },
        router,
        receivers: receiversFrom(served, router, { edges, same }),
        entries: controlling
          .filter(policy => sees(policy, router, edges, nearby.controlAt(router)))
          .flatMap(policy => routedEntries(policy, distribution, nearby.sourcesAt(router), pool)),
        isOpen: route.accessControl.length === 0,
      }));
    });
    return route.addresses.map((address): Offer => {
      const destination = routeDestination(route.networkId, address);
      return {
        destination,
        address,
        deliveries: once(() => atRouters().map(one => ({ ...one, address, destination }))),
      };
    });
  });
}

/**
 * The sources that receive a route from one of its routing machines. `same`: all machines that serve this route or an equal one.
 */
function receiversFrom(
  { route, distribution }: ServedRoute,
  router: number,
  { edges, same }: { readonly edges: Edges; readonly same: Bits },
): Bits {
  // A machine that serves the same route does not receive it from another machine.
  const others = minus(and(distribution, edges.to(router)), same);
  const isItsOwn = route.accessControl.length > 0 && has(distribution, router);
  return isItsOwn ? withOne(others, router) : others;
}

/**
 * All machines that serve the route or another route with the same network id and range, including
 * disabled routes.
 */
function servingSame(routes: readonly ServedRoute[], route: Route): Bits {
  const bits = noBits();
  for (const { route: other, serving } of routes) if (isSame(other, route)) orInto(bits, serving);
  return bits;
}

/**
 * The enabled policies that control a route. A policy controls it if one of its rules, even a
 * disabled one, has an access-control group of the route as its destination.
 */
export function controllingPolicies(
  { policies }: World,
  { accessControl }: Route,
): readonly CompiledPolicy[] {
  return policies.filter(
    ({ policy, rules }) =>
      policy.isEnabled && rules.some(({ rule }) => namesAny(rule.destination, accessControl)),
  );
}

/**
 * Whether a routing machine gets a policy. It does if an enabled rule concerns the machine or names
 * one of the groups.
 */
function sees(
  { rules }: CompiledPolicy,
  router: number,
  edges: Edges,
  groups: readonly string[],
): boolean {
  return rules.some(
    compiled =>
      compiled.isActive &&
      (edges.touches(compiled, router) || namesAny(compiled.rule.destination, groups)),
  );
}

function isSame(one: Route, other: Route): boolean {
  return (
    one.networkId === other.networkId && one.addresses.join('\n') === other.addresses.join('\n')
  );
}
