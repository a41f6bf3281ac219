// The rules and routes from the source of a flow to its destination, whatever their ports. If no rule admits a flow that took
// place, it may still be a use of any of them.
import { type RoutedTarget, routedTargets, type Target } from '../flows/targets.ts';
import { controllingPolicies } from '../routed/routeOffers.ts';
import { has } from '../sets/bits.ts';
import type { Policy, Route } from '../state/accessState.ts';
import type { CompiledRule } from '../world/compiledPolicies.ts';
import type { World } from '../world/world.ts';

/** The rules and routes between a source and some destinations. */
export interface RulesBetween {
  readonly rules: readonly CompiledRule[];
  readonly routes: readonly Route[];
}

/**
 * Finds the accept rules and the routes from a source to some destinations. Without destinations, the destination of the flow is
 * unknown and may be anything behind routing machines.
 */
export function rulesBetweenIn(
  world: World,
): (source: number, destinations: readonly Target[]) => RulesBetween {
  const active = world.policies.flatMap(({ rules }) =>
    rules.filter(({ isActive, rule }) => isActive && !rule.isDrop),
  );
  return (source, destinations) => {
    const machines = destinations.flatMap(one => (one.type === 'machine' ? one.index : []));
    const known = destinations.flatMap(one => (one.type === 'machine' ? [] : one));
    const routed = destinations.length === 0 ? routedTargets(world) : known;
    const routes = [...new Set(routed.flatMap(target => target.routes))];
    const behind = policiesBehind(world, routed, routes);
    return {
      routes: routes.filter(
        ({ isEnabled, distribution }) => isEnabled && has(world.inGroups(distribution), source),
      ),
      rules: active.filter(
        rule =>
          (behind.has(rule.policy) && has(rule.sources, source)) ||
          machines.some(machine => isBetween(rule, source, machine)),
      ),
    };
  };
}

// Both directions count, because a log may show the reply to a flow as a flow.
const isBetween = (
  { sources, destinations }: CompiledRule,
  source: number,
  machine: number,
): boolean =>
  (has(sources, source) && has(destinations, machine)) ||
  (has(destinations, source) && has(sources, machine));

function policiesBehind(
  world: World,
  routed: readonly RoutedTarget[],
  routes: readonly Route[],
): ReadonlySet<Policy> {
  const ofResources = routed.flatMap(({ resources }) =>
    resources.flatMap(({ resource }) => world.resourcePolicies(resource)),
  );
  const ofRoutes = routes.flatMap(route => controllingPolicies(world, route));
  return new Set([...ofResources, ...ofRoutes].map(({ policy }) => policy));
}
