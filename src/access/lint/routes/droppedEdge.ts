// DROP_OPENS_ROUTE: like an accept rule, a drop rule connects members with routing peers. The
// server distributes routes along these connections (policy edges), and it delivers network
// resources even for a policy that has only drop rules.
import { quoted } from '../../../model/text/visible.ts';
import { firstNames } from '../../gates/firstNames.ts';
import { distributedTo, routingOf } from '../../routed/networkRouting.ts';
import { ableForRoutes, serversOf } from '../../routed/servers.ts';
import {
  and,
  type Bits,
  indexesIn,
  isEmpty,
  minus,
  noBits,
  orInto,
  remove,
} from '../../sets/bits.ts';
import type { Resource, Route } from '../../state/accessState.ts';
import type { CompiledPolicy, CompiledRule } from '../../world/compiledPolicies.ts';
import type { World } from '../../world/world.ts';
import type { Found, Lint } from '../lint.ts';
import type { LintContext, LintedRule } from '../lintContext.ts';
import { policyName, ruleAt, ruleName } from '../ruleNames.ts';

/** Finds the drop rules without which some machines would not receive a route or a network resource. */
export const droppedEdges: Lint = context => {
  const drops = context.rules.filter(({ compiled, rule }) => compiled.isActive && rule.isDrop);
  if (drops.length === 0) return [];
  return [...routesReceived(drops, context), ...resourcesReceived(drops, context)];
};

function routesReceived(drops: readonly LintedRule[], { state, world }: LintContext): Found[] {
  const routes = state.routes.filter(({ isEnabled }) => isEnabled);
  return routes.flatMap(route => {
    const opened = openedBy(route, world);
    return drops
      .filter(({ compiled }) => opened.has(compiled))
      .map(linted => ({
        ...ruleAt(linted),
        message: `drop ${ruleName(linted)} is the only declared edge by which machines of ${firstNames(route.distribution)} receive route ${quoted(route.networkId)}${open(route)}`,
        hint:
          route.accessControl.length === 0
            ? 'give the route `access_control_groups`, or drop traffic to groups that its routing peers are not in'
            : 'drop traffic to groups that the routing peers of the route are not in',
      }));
  });
}

const open = ({ accessControl }: Route): string =>
  accessControl.length === 0 ? ', all of which is open to them' : '';

// The drop rules that connect a member with a routing peer, if no accept rule connects them.
function openedBy(route: Route, world: World): ReadonlySet<CompiledRule> {
  const opened = new Set<CompiledRule>();
  const distribution = and(world.inGroups(route.distribution), world.approved);
  for (const server of indexesIn(serversOf(world, route.servers, ableForRoutes(world)))) {
    const edges = edgesOf(server, world);
    const accepted = noBits();
    for (const [rule, others] of edges) if (!rule.rule.isDrop) orInto(accepted, others);
    for (const [rule, others] of edges) {
      const left = minus(and(others, distribution), accepted);
      remove(left, server);
      if (rule.rule.isDrop && !isEmpty(left)) opened.add(rule);
    }
  }
  return opened;
}

function edgesOf(server: number, { sides }: World): readonly (readonly [CompiledRule, Bits])[] {
  return [
    ...sides.asDestination(server).map(rule => [rule, rule.sources] as const),
    ...sides.asSource(server).map(rule => [rule, rule.destinations] as const),
  ];
}

function resourcesReceived(drops: readonly LintedRule[], context: LintContext): Found[] {
  const byPolicy = Map.groupBy(drops, ({ siblings }) => siblings);
  return [...byPolicy].flatMap(([policy, [first, ...rest]]) => {
    const active = policy.rules.filter(({ isActive }) => isActive);
    if (first === undefined || active.some(({ rule }) => !rule.isDrop)) return [];
    const resources = [first, ...rest].flatMap(linted => linted.resources);
    const opened = resources.filter(resource => isDelivered(resource, policy, context));
    if (opened.length === 0) return [];
    const leading = [first, ...rest].find(linted => linted.resources.length > 0) ?? first;
    return {
      ...ruleAt(leading),
      message: `policy ${policyName(first.object)} has only drop rules, but is the only declared policy that delivers ${firstNames(opened.map(({ key }) => key))} to its sources`,
      hint: 'remove the policy if no other policy admits these sources: traffic that no rule accepts is blocked',
    };
  });
}

// Whether a policy delivers a resource to a member that does not get the resource from any policy
// with an accept rule.
function isDelivered(
  resource: Resource,
  policy: CompiledPolicy,
  { world, state }: LintContext,
): boolean {
  const network = state.networks.find(({ resources }) => resources.includes(resource));
  if (!resource.isEnabled || network === undefined) return false;
  const { routing, servers } = routingOf(world, network);
  if (servers.length === 0) return false;
  const others = noBits();
  for (const { rules } of world.resourcePolicies(resource))
    if (rules.some(({ isActive, rule }) => isActive && !rule.isDrop))
      orInto(others, distributedTo(rules));
  const received = and(distributedTo(policy.rules), world.approved);
  return !isEmpty(minus(minus(received, routing), others));
}
