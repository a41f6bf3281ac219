// RULE_LEAKS: a routing peer gets every enabled rule of a policy that concerns its routes, even
// rules with other destinations. Rules cannot leak on a server that stores one rule per policy.

import { firstNames } from '../../gates/firstNames.ts';
import { distributedTo } from '../../routed/networkRouting.ts';
import { everyServer } from '../../routed/servers.ts';
import { and, type Bits, intersect, isEmpty, isSubset } from '../../sets/bits.ts';
import { without } from '../../sets/traffic.ts';
import {
  type CompiledPolicy,
  type CompiledRule,
  routedTraffic,
} from '../../world/compiledPolicies.ts';
import { leadsTo } from '../../world/resourcePolicies.ts';
import type { Found, Lint } from '../lint.ts';
import type { DeclaredGroups, LintContext, LintedRule } from '../lintContext.ts';
import { ruleAt, ruleName } from '../ruleNames.ts';

/** Finds the rules that also open destinations that only another rule of the policy names. */
export const leakingRules: Lint = context =>
  context.rules
    .filter(({ compiled, siblings }) => compiled.isActive && siblings.rules.length > 1)
    .filter(({ compiled }) => routedTraffic(compiled).length > 0)
    .flatMap(linted => leakOf(linted, context));

function leakOf(linted: LintedRule, context: LintContext): readonly Found[] {
  const targets = [...resourcesBesides(linted, context), ...routesBesides(linted, context)];
  if (targets.length === 0) return [];
  const effect = linted.rule.isDrop ? 'drops traffic to' : 'opens its ports on';
  return [
    {
      ...ruleAt(linted),
      message: `${ruleName(linted)} also ${effect} ${firstNames(targets)}: a routing peer gets all enabled rules of a policy, whatever their destinations are`,
      hint: 'move the rule into a separate policy',
    },
  ];
}

function resourcesBesides({ compiled, siblings }: LintedRule, { state }: LintContext) {
  const receivers = distributedTo(siblings.rules);
  return state.networks
    .flatMap(({ resources }) => resources)
    .filter(({ isEnabled }) => isEnabled)
    .filter(resource => {
      const naming = siblings.rules.filter(one => one.isActive && leadsTo(one, resource));
      return (
        naming.length > 0 &&
        !naming.includes(compiled) &&
        addsTo(naming, compiled, and(compiled.sources, receivers))
      );
    })
    .map(({ key }) => key);
}

function routesBesides({ compiled, siblings }: LintedRule, { world, state, groups }: LintContext) {
  return state.routes
    .filter(({ isEnabled, accessControl }) => isEnabled && accessControl.length > 0)
    .filter(({ accessControl, distribution, servers }) => {
      const controls = new Set(accessControl.map(groups.keyOf));
      const naming = siblings.rules.filter(one => namesAny(one, controls, groups));
      const eligible = and(compiled.sources, world.inGroups(distribution));
      return (
        naming.length > 0 &&
        !naming.includes(compiled) &&
        isSeen(siblings, everyServer(world, servers), groups) &&
        addsTo(
          naming.filter(({ isActive }) => isActive),
          compiled,
          eligible,
        )
      );
    })
    .map(({ networkId }) => networkId);
}

// Whether a routing peer gets a policy. It does if an enabled rule concerns the peer or names an
// access-control group.
function isSeen({ rules }: CompiledPolicy, servers: Bits, groups: DeclaredGroups): boolean {
  return rules.some(
    ({ isActive, sources, destinations, rule: { destination } }) =>
      isActive &&
      (intersect(sources, servers) ||
        intersect(destinations, servers) ||
        (destination.type === 'groups' && destination.groups.some(groups.controlsRoute))),
  );
}

// Whether a rule affects traffic at a routing peer beyond the rules that name the destination.
function addsTo(naming: readonly CompiledRule[], rule: CompiledRule, eligible: Bits): boolean {
  if (isEmpty(eligible)) return false;
  const covered = naming.some(
    one =>
      one.rule.isDrop === rule.rule.isDrop &&
      without(routedTraffic(rule), routedTraffic(one)).length === 0 &&
      isSubset(eligible, one.sources),
  );
  return !covered;
}

function namesAny(
  { rule: { destination } }: CompiledRule,
  controls: ReadonlySet<string>,
  { keyOf }: DeclaredGroups,
): boolean {
  return (
    destination.type === 'groups' && destination.groups.some(group => controls.has(keyOf(group)))
  );
}
