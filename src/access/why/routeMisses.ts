// The nearest miss to a route.
import { jsonString } from '../../model/text/visible.ts';
import type { Reaches } from '../flows/reaches.ts';
import { edgesIn } from '../routed/edges.ts';
import { type ServedRoute, servedRoutes } from '../routed/servedRoutes.ts';
import { has, intersect } from '../sets/bits.ts';
import type { Route, Side } from '../state/accessState.ts';
import type { CompiledPolicy, CompiledRule } from '../world/compiledPolicies.ts';
import type { World } from '../world/world.ts';
import { dropsAmong } from './drops.ts';
import {
  disabled,
  disconnected,
  failedAtRouters,
  type Obstacle,
  otherPorts,
  type Wanted,
} from './obstacles.ts';

interface Asked {
  readonly source: number;
  readonly route: Route;
  readonly wanted: Wanted;
}

/** For each rule that could grant the access, the conditions that are missing to use a route. */
export function routeMisses(reaches: Reaches, asked: Asked): readonly (readonly Obstacle[])[] {
  const { world } = reaches;
  const served = servedRoutes(world).find(({ route }) => route === asked.route);
  if (served === undefined) return [];
  const way = [...routeFaults(world, served), ...notReceived(reaches, served, asked)];
  if (asked.route.accessControl.length === 0) return [way];
  const found = world.policies.flatMap(policy =>
    policy.rules.flatMap(compiled => {
      const missing = missingIn(world, policy, compiled, { ...asked, served });
      return missing === undefined ? [] : [[...missing, ...way]];
    }),
  );
  if (found.length > 0 && found.every(missing => missing.length > 0)) return found;
  const drops = droppedOn(reaches, asked);
  if (drops.length > 0) return [[...drops, ...way]];
  const message = `no policy has the source and an access-control group of route ${jsonString(asked.route.networkId)} on its sides`;
  return [[{ code: 'NO_RULE', message }, ...way]];
}

function routeFaults(world: World, { route, servers, serving }: ServedRoute): readonly Obstacle[] {
  const by = { kind: 'route', key: route.key };
  if (!route.isEnabled)
    return [{ code: 'DISABLED', message: `route ${jsonString(route.networkId)} is disabled`, by }];
  if (servers.length > 0) return [];
  if (intersect(serving, world.awaiting))
    return [
      {
        code: 'NOT_APPROVED',
        message: `no routing peer of route ${jsonString(route.networkId)} is approved`,
        by,
      },
    ];
  const isNobody = !intersect(serving, world.today);
  const message = `route ${jsonString(route.networkId)} has no routing peer${isNobody ? '' : ' whose login is valid'}`;
  return [{ code: 'NO_ROUTER', message, by }];
}

function notReceived(
  reaches: Reaches,
  { route, servers, serving, distribution }: ServedRoute,
  { source, wanted }: Asked,
): readonly Obstacle[] {
  const { world } = reaches;
  const away = disconnected(world, [source]);
  if (away.length > 0) return away;
  if (!has(distribution, source)) {
    const message = `the source is in no distribution group of route ${jsonString(route.networkId)}`;
    return [{ code: 'NOT_DISTRIBUTED', message }];
  }
  if (has(serving, source)) {
    const message = `the source serves route ${jsonString(route.networkId)} itself, so it does not receive that route from another peer`;
    return [{ code: 'NOT_DISTRIBUTED', message }];
  }
  const edges = edgesIn(world, wanted.reading ?? 'certain');
  if (servers.length === 0 || servers.some(server => has(edges.to(server), source))) return [];
  const message = `no policy connects the source with the routing peer of route ${jsonString(route.networkId)}`;
  return [{ code: 'NO_EDGE_TO_ROUTER', message }];
}

function missingIn(
  world: World,
  policy: CompiledPolicy,
  compiled: CompiledRule,
  { source, route, wanted, served }: Asked & { readonly served: ServedRoute },
): readonly Obstacle[] | undefined {
  if (compiled.rule.isDrop || !has(compiled.sources, source)) return undefined;
  const isControlling = policy.rules.some(({ rule }) => leadsTo(rule.destination, route));
  if (!isControlling) return undefined;
  return [
    ...disabled(compiled),
    ...otherPorts(compiled, wanted, { isRouted: true, isOld: false }),
    ...failedAtRouters(world, compiled, source, { wanted, routers: served.servers }),
  ];
}

function leadsTo(side: Side, { accessControl }: Route): boolean {
  return side.type === 'groups' && side.groups.some(group => accessControl.includes(group));
}

function droppedOn(reaches: Reaches, { source, route, wanted }: Asked): readonly Obstacle[] {
  const { deliveries } = reaches.under(wanted.reading ?? 'certain');
  const own = deliveries.filter(({ what }) => what.type === 'route' && what.route === route);
  const same = deliveries.filter(({ address, router }) =>
    own.some(one => one.address === address && one.router === router),
  );
  return dropsAmong(
    same.flatMap(({ entries }) => entries),
    source,
    wanted,
  );
}
