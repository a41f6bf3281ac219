// The nearest miss to a network resource.
import { jsonString } from '../../model/text/visible.ts';
import type { Reaches } from '../flows/reaches.ts';
import { distributedTo, routingOf } from '../routed/networkRouting.ts';
import { everyServer } from '../routed/servers.ts';
import { has, intersect, isEmpty, noBits, orInto } from '../sets/bits.ts';
import type { Network, Resource } from '../state/accessState.ts';
import type { CompiledPolicy, CompiledRule } from '../world/compiledPolicies.ts';
import { leadsTo } from '../world/resourcePolicies.ts';
import type { World } from '../world/world.ts';
import { dropsAmong } from './drops.ts';
import {
  byRule,
  disabled,
  disconnected,
  failedAtRouters,
  type Obstacle,
  otherPorts,
  ruleName,
  type Wanted,
} from './obstacles.ts';

interface Asked {
  readonly source: number;
  readonly resource: Resource;
  readonly network: Network;
  readonly wanted: Wanted;
}

/**
 * For each rule that could grant the access, the conditions that are missing to reach a resource.
 */
export function resourceMisses(reaches: Reaches, asked: Asked): readonly (readonly Obstacle[])[] {
  const { world } = reaches;
  const way = [...resourceFaults(asked.resource), ...routerFaults(world, asked.network)];
  const found = world.policies.flatMap(policy =>
    policy.rules.flatMap(compiled => {
      const missing = missingIn(reaches, policy, compiled, asked);
      return missing === undefined ? [] : [[...way, ...missing]];
    }),
  );
  if (found.length > 0 && found.every(missing => missing.length > 0)) return found;
  const drops = droppedOn(reaches, asked);
  if (drops.length > 0) return [[...way, ...drops]];
  const message = `no policy has the source and network resource ${jsonString(asked.resource.key)} on its sides`;
  return [[{ code: 'NO_RULE', message }, ...way]];
}

function missingIn(
  reaches: Reaches,
  policy: CompiledPolicy,
  compiled: CompiledRule,
  asked: Asked,
): readonly Obstacle[] | undefined {
  const { world } = reaches;
  const { source, resource, wanted } = asked;
  if (compiled.rule.isDrop) return undefined;
  const leading = policy.rules.filter(rule => leadsTo(rule, resource));
  const isForward = leading.length > 0 && has(compiled.sources, source);
  if (!isForward && !comesFrom(compiled, resource, source)) return undefined;
  if (!isForward) return [...disabled(compiled), opposite(compiled)];
  const isConcerned = leading.some(({ isActive }) => isActive);
  const [first] = leading;
  return [
    ...(isConcerned || first === undefined ? disabled(compiled) : disabled(first)),
    ...disconnected(world, [source]),
    ...otherPorts(compiled, wanted, { isRouted: true, isOld: false }),
    ...failedAtRouters(world, compiled, source, { wanted, routers: routersFor(reaches, asked) }),
    ...notReceived(world, asked),
  ];
}

// The routers from which the source receives the resource.
function routersFor(reaches: Reaches, { source, resource, wanted }: Asked): readonly number[] {
  return reaches
    .under(wanted.reading ?? 'certain')
    .deliveries.filter(
      ({ what, receivers }) =>
        what.type === 'network_resource' && what.resource === resource && has(receivers, source),
    )
    .map(({ router }) => router);
}

// Whether the resource is among the sources of the rule, and the source of the question among its destinations.
function comesFrom(
  { rule, destinations }: CompiledRule,
  resource: Resource,
  source: number,
): boolean {
  const { source: side } = rule;
  const isSide = side.type === 'groups' && side.groups.some(key => resource.groups.includes(key));
  return isSide && has(destinations, source);
}

function opposite(compiled: CompiledRule): Obstacle {
  const message = `${ruleName(compiled)} grants the opposite direction only, and no rule is bidirectional toward a network resource`;
  return { code: 'DIRECTION', message, ...byRule(compiled) };
}

function notReceived(world: World, { source, resource, network }: Asked): readonly Obstacle[] {
  if (has(routingOf(world, network).routing, source)) {
    const message = `the source routes network ${jsonString(network.key)} itself, so it does not receive that network from another router`;
    return [{ code: 'NOT_DISTRIBUTED', message }];
  }
  const receivers = noBits();
  for (const { rules } of world.resourcePolicies(resource)) orInto(receivers, distributedTo(rules));
  if (isEmpty(receivers) || has(receivers, source)) return [];
  const message = `the source does not receive network resource ${jsonString(resource.key)}: the first rule of the policy has another peer as its single source`;
  return [{ code: 'NOT_DISTRIBUTED', message }];
}

function resourceFaults({ isEnabled, key }: Resource): readonly Obstacle[] {
  if (isEnabled) return [];
  const message = `network resource ${jsonString(key)} is disabled`;
  return [{ code: 'DISABLED', message, by: { kind: 'network_resource', key } }];
}

function routerFaults(world: World, network: Network): readonly Obstacle[] {
  const routers = network.routers.filter(({ isEnabled }) => isEnabled);
  const by = { kind: 'network', key: network.key };
  if (routers.length === 0) {
    const message = `network ${jsonString(network.key)} has no enabled router`;
    return [{ code: 'NO_ROUTER', message, by }];
  }
  if (routingOf(world, network).servers.length > 0) return [];
  const isWaiting = routers.some(one => intersect(everyServer(world, one.servers), world.awaiting));
  if (isWaiting) {
    const message = `no router of network ${jsonString(network.key)} is approved`;
    return [{ code: 'NOT_APPROVED', message, by }];
  }
  const message = `no enabled router of network ${jsonString(network.key)} has a machine`;
  return [{ code: 'NO_ROUTER', message, by }];
}

function droppedOn(reaches: Reaches, { source, resource, wanted }: Asked): readonly Obstacle[] {
  const { deliveries } = reaches.under(wanted.reading ?? 'certain');
  const own = deliveries.filter(
    ({ what }) => what.type === 'network_resource' && what.resource === resource,
  );
  const same = deliveries.filter(({ address, router }) =>
    own.some(one => one.address === address && one.router === router),
  );
  return dropsAmong(
    same.flatMap(({ entries }) => entries),
    source,
    wanted,
  );
}
