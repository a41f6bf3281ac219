// Whether a rule has the whole effect of another rule, so that the other rule is redundant. If the files alone cannot show this,
// the answer is no.
import equal from 'fast-deep-equal';
import { without } from '../../sets/traffic.ts';
import type { Side } from '../../state/accessState.ts';
import type { DeclaredGroups, LintedRule } from '../lintContext.ts';
import { lastsAsLong } from '../ruleEnds.ts';

/**
 * `assuming`: the rule covers the other rule only if no undeclared network resource or route has
 * one of the groups.
 */
export type Cover = 'none' | 'assuming' | 'full';

/**
 * How far `other` covers `rule`. An accept rule or a drop rule can cover an accept rule; only a
 * drop rule can cover a drop rule. A rule does not cover a rule that lasts longer.
 */
export function coverOf(rule: LintedRule, other: LintedRule, groups: DeclaredGroups): Cover {
  return lastsAsLong(other.ends, rule.ends) ? coverNow(rule, other, groups) : 'none';
}

/** How far `other` covers `rule` until something expires. */
export function coverNow(rule: LintedRule, other: LintedRule, groups: DeclaredGroups): Cover {
  const isCovered =
    rule !== other &&
    (other.rule.isDrop || !rule.rule.isDrop) &&
    (other.rule.isBidirectional || !rule.rule.isBidirectional) &&
    coversTraffic(rule, other) &&
    coversSources(rule, other, groups) &&
    coversChecks(rule, other, groups) &&
    hasSameReceivers(rule, other, groups);
  return isCovered
    ? coversDestinations(rule.rule.destination, other.rule.destination, groups)
    : 'none';
}

function coversTraffic({ compiled, rule, fields }: LintedRule, other: LintedRule): boolean {
  const isSsh = rule.protocol === 'netbird-ssh';
  const isOtherSsh = other.rule.protocol === 'netbird-ssh';
  // The local users of an SSH rule limit what it accepts. An SSH rule has no effect on network
  // resources.
  if (isOtherSsh && !isSsh) return false;
  if (isSsh && !other.rule.isDrop) {
    const [own, its] = [fields, other.fields].map(one => one.authorized_groups ?? {});
    if (!isOtherSsh || !equal(own, its)) return false;
  }
  return (
    without(compiled.traffic, other.compiled.traffic).length === 0 &&
    without(compiled.trafficOfOldAgents, other.compiled.trafficOfOldAgents).length === 0
  );
}

function coversSources({ rule }: LintedRule, other: LintedRule, groups: DeclaredGroups): boolean {
  const own = rule.source;
  const its = other.rule.source;
  if (own.type === 'resource' || its.type === 'resource') return false;
  if (own.type === 'machine') return holdsMachine(its, own.machine, groups);
  if (its.type === 'machine') return false;
  const keys = new Set(its.groups.map(groups.keyOf));
  return its.groups.some(groups.isAll) || own.groups.every(name => keys.has(groups.keyOf(name)));
}

// For peers, the server ignores the posture checks on a single source, and a routing peer counts
// only single sources. So a group is equivalent only if there are no checks and nothing is routed,
// not even by another rule of the policy.
function coversChecks(
  { rule, policy, siblings, resources }: LintedRule,
  other: LintedRule,
  groups: DeclaredGroups,
): boolean {
  const isSubset = other.policy.checks.every(check => policy.checks.includes(check));
  if (rule.source.type !== 'machine' || other.rule.source.type === 'machine') return isSubset;
  const isAlone = siblings.rules.length === 1;
  return (
    other.policy.checks.length === 0 &&
    isAlone &&
    !isRouted(rule.destination, resources.length, groups)
  );
}

// Whether the other rule also replaces the effects of a rule beyond its own traffic. A policy
// distributes network resources as a whole.
function hasSameReceivers(
  { rule, siblings, index, resources }: LintedRule,
  other: LintedRule,
  groups: DeclaredGroups,
): boolean {
  // The first rule decides who receives resources. If it is removed, the next rule becomes the first.
  if (siblings === other.siblings)
    return index > 0 || siblings.rules.slice(0, 2).every(one => one.rule.source.type === 'groups');
  if (siblings.rules.length > 1) return false;
  const isAmongAll = other.siblings.rules[0]?.rule.source.type !== 'machine' || other.index === 0;
  return isAmongAll || !isRouted(rule.destination, resources.length, groups);
}

// If the account decides the memberships, the side may be routed.
function isRouted(side: Side, resources: number, groups: DeclaredGroups): boolean {
  return (
    side.type === 'resource' ||
    resources > 0 ||
    (side.type === 'groups' && (groups.isRoutingIgnored || side.groups.some(groups.controlsRoute)))
  );
}

function coversDestinations(own: Side, its: Side, groups: DeclaredGroups): Cover {
  if (own.type === 'machine') return holdsMachine(its, own.machine, groups) ? 'full' : 'none';
  if (own.type === 'resource') return holdsResource(its, own.resource, groups) ? 'full' : 'none';
  if (its.type !== 'groups') return 'none';
  const keys = new Set(its.groups.map(groups.keyOf));
  const rest = own.groups.filter(name => !keys.has(groups.keyOf(name)));
  if (rest.length === 0) return 'full';
  // All contains every machine, but no network resource.
  if (groups.isRoutingIgnored) return 'none';
  const isOfMachines = rest.every(
    name => groups.resourcesIn(name).length === 0 && !groups.controlsRoute(name),
  );
  return isOfMachines && its.groups.some(groups.isAll) ? 'assuming' : 'none';
}

function holdsMachine(side: Side, machine: string, groups: DeclaredGroups): boolean {
  if (side.type === 'machine') return side.machine === machine;
  if (side.type === 'resource') return false;
  const holding = new Set(groups.holding(machine));
  return side.groups.some(name => groups.isAll(name) || holding.has(groups.keyOf(name)));
}

function holdsResource(side: Side, resource: string, groups: DeclaredGroups): boolean {
  if (side.type === 'resource') return side.resource === resource;
  if (side.type === 'machine') return false;
  return side.groups.some(name => groups.hasResource(name, resource));
}
