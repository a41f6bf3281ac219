// The rules and routes that involve the objects of selectors.
import { ownTargetsOf } from '../ask/destinations.ts';
import { membersOf } from '../ask/members.ts';
import type { Selector } from '../ask/selector.ts';
import { controllingPolicies } from '../routed/routeOffers.ts';
import { type Bits, intersect, noBits } from '../sets/bits.ts';
import type { Policy, Route, Rule } from '../state/accessState.ts';
import type { CompiledPolicy, CompiledRule } from '../world/compiledPolicies.ts';
import type { World } from '../world/world.ts';
import { groupsOf } from './groupsOf.ts';

/** The rules and routes that involve the objects of a selector: as sources, destinations or routing machines. */
export interface RulesOfSelector {
  readonly rules: ReadonlySet<Rule>;
  readonly routes: ReadonlySet<Route>;
}

/** The rules and routes that involve the objects of a selector; undefined if it matches nothing. */
export function rulesOfSelector(world: World, selector: Selector): RulesOfSelector | undefined {
  const members = membersOf(world, selector);
  const targets = ownTargetsOf(world, selector);
  if (members === undefined && targets === undefined) return undefined;
  const routed = (targets ?? []).flatMap(target => (target.type === 'machine' ? [] : target));
  const routes = new Set(routed.flatMap(target => target.routes));
  const behind = new Set<Policy>([
    ...routed.flatMap(({ resources }) =>
      resources.flatMap(({ resource }) => policiesIn(world.resourcePolicies(resource))),
    ),
    ...[...routes].flatMap(route => policiesIn(controllingPolicies(world, route))),
  ]);
  const name = selector.type === 'group' ? selector.name : undefined;
  const rules = world.policies.flatMap(({ policy, rules: own }) =>
    own.filter(one => behind.has(policy) || isAbout(one, members ?? noBits(), name)),
  );
  return { rules: new Set(rules.map(({ rule }) => rule)), routes };
}

const policiesIn = (list: readonly CompiledPolicy[]): readonly Policy[] =>
  list.map(({ policy }) => policy);

// Groups are compared by key as well, because a group may have no members.
function isAbout(
  { sources, destinations, rule }: CompiledRule,
  members: Bits,
  group: string | undefined,
): boolean {
  if (intersect(sources, members) || intersect(destinations, members)) return true;
  const sides = [rule.source, rule.destination].flatMap(groupsOf);
  return group !== undefined && sides.includes(group);
}
