// RULE_MATCHES_NOBODY: enabled rules that never apply, even if machines join their groups.
import { quoted } from '../../../model/text/visible.ts';
import { firstNames } from '../../gates/firstNames.ts';
import { distributedTo, routingOf } from '../../routed/networkRouting.ts';
import { add, and, type Bits, has, intersect, minus, noBits, orInto } from '../../sets/bits.ts';
import type { Resource } from '../../state/accessState.ts';
import { ignoredAccess } from '../../state/ignoredFields.ts';
import type { Found, Lint } from '../lint.ts';
import type { LintContext, LintedRule } from '../lintContext.ts';
import { policyName, ruleAt, ruleName } from '../ruleNames.ts';
import { contradictionOf } from './contradiction.ts';

/** Finds the enabled rules that match nobody. */
export const unmatchedRules: Lint = context =>
  context.rules
    .filter(({ compiled, rule }) => compiled.isActive && rule.source.type !== 'resource')
    // An apply leaves ignored rules unchanged in the account, and the files do not show them.
    .filter(linted => !isIgnored(linted, 'rules'))
    .flatMap(linted => {
      const found =
        withoutSide(linted) ??
        toItself(linted) ??
        failingPosture(linted, context) ??
        notReceived(linted, context);
      return found ?? [];
    });

const isIgnored = ({ object }: LintedRule, field: string): boolean =>
  ignoredAccess(object).includes(field);

function withoutSide(linted: LintedRule): Found | undefined {
  const { source, destination } = linted.rule;
  const field =
    (source.type === 'groups' && source.groups.length === 0 && 'sources') ||
    (destination.type === 'groups' && destination.groups.length === 0 && 'destinations');
  if (!field) return undefined;
  return {
    ...ruleAt(linted, field),
    message: `${ruleName(linted)} matches nobody: ${quoted(field)} is empty`,
    hint: 'list groups there, or remove the rule',
  };
}

function toItself(linted: LintedRule): Found | undefined {
  const { source, destination } = linted.rule;
  if (source.type !== 'machine' || destination.type !== 'machine') return undefined;
  if (source.machine !== destination.machine) return undefined;
  return {
    ...ruleAt(linted, 'destinationResource'),
    message: `${ruleName(linted)} matches nobody: peer ${quoted(source.machine)} is its source and its destination`,
    hint: 'write another peer, or remove the rule',
  };
}

function failingPosture(linted: LintedRule, { world }: LintContext): Found | undefined {
  const { rule, policy, object, leadsToMachines } = linted;
  // The server ignores the posture checks of a rule with a single source if the destinations are
  // peers.
  if (rule.source.type === 'machine' && leadsToMachines) return undefined;
  if (isIgnored(linted, 'source_posture_checks')) return undefined;
  const why = contradictionOf(world.verdicts.checksOf(policy));
  if (why === undefined) return undefined;
  return {
    object,
    rule: rule.name,
    path: ['source_posture_checks'],
    message: `policy ${policyName(object)} matches nobody: ${why} of its posture checks (${firstNames(policy.checks)})`,
    hint: 'in each check, name every operating system and place that must pass',
  };
}

// Finds a rule whose destinations are only network resources, if none of its sources receives these
// resources.
function notReceived(linted: LintedRule, context: LintContext): Found | undefined {
  const { resources, leadsToMachines, compiled, rule } = linted;
  const { destination } = rule;
  const controls =
    destination.type === 'groups' && destination.groups.some(context.groups.controlsRoute);
  if (rule.isDrop || leadsToMachines || controls || resources.length === 0) return undefined;
  // A rule of the account that the files do not show may deliver them.
  if (context.rules.some(other => isIgnored(other, 'rules'))) return undefined;
  const sources = and(compiled.sources, context.world.approved);
  // Nobody receives a disabled resource or a resource without a router, but that is not a fault of
  // the rule.
  const open = resources.flatMap(resource => {
    const receivers = receiversOf(resource, sources, linted, context);
    return receivers ? [receivers] : [];
  });
  if (open.length < resources.length || open.some(receivers => intersect(sources, receivers)))
    return undefined;
  return {
    ...ruleAt(linted),
    message: `${ruleName(linted)} matches nobody: no declared policy lets any of its sources reach ${firstNames(resources.map(({ key }) => key))} through a routing peer other than itself`,
    hint: 'move the rule into a separate policy, and name sources that are not routing peers of the network',
  };
}

function receiversOf(
  resource: Resource,
  sources: Bits,
  { rule }: LintedRule,
  { world, state }: LintContext,
): Bits | undefined {
  const network = state.networks.find(({ resources }) => resources.includes(resource));
  if (!resource.isEnabled || network === undefined) return undefined;
  const { routing, servers } = routingOf(world, network);
  if (servers.length === 0) return undefined;
  const receivers = noBits();
  for (const { rules } of world.resourcePolicies(resource)) orInto(receivers, distributedTo(rules));
  const others = minus(receivers, routing);
  // A routing peer that is the single source may send traffic itself.
  if (rule.source.type === 'machine')
    for (const server of servers) if (has(sources, server)) add(others, server);
  return others;
}
