// Tells whether a rule of one state already granted its access in another state.
import { without } from '../sets/traffic.ts';
import type { Policy, Rule, Side } from '../state/accessState.ts';
import { ruleTraffic } from '../world/compiledPolicies.ts';
import { groupsOf } from './groupsOf.ts';

/** A rule in its policy. */
export interface PlacedRule {
  readonly policy: Policy;
  readonly rule: Rule;
}

/** Returns the key that a group of one state has in the other state. */
export type GroupThere = (group: string) => string | undefined;

/**
 * Whether the former version of a rule granted all traffic of the rule in all its directions, was in effect, and had no
 * additional checks.
 */
export function gaveTraffic({ policy, rule }: PlacedRule, former: PlacedRule): boolean {
  const wasActive = former.policy.isEnabled && former.rule.isEnabled;
  const wasBothWays = former.rule.isBidirectional || !rule.isBidirectional;
  const isLess = without(ruleTraffic(rule), ruleTraffic(former.rule)).length > 0;
  const hadMoreChecks = former.policy.checks.length > policy.checks.length;
  return (
    wasActive && wasBothWays && rule.isDrop === former.rule.isDrop && !isLess && !hadMoreChecks
  );
}

/** The groups of a rule that were not on the same side of its former version. */
export function groupsSince(
  { rule }: PlacedRule,
  former: PlacedRule,
  groupThere: GroupThere,
): readonly string[] {
  return [
    ...groupsMissing(rule.source, former.rule.source, groupThere),
    ...groupsMissing(rule.destination, former.rule.destination, groupThere),
  ];
}

function groupsMissing(side: Side, former: Side, groupThere: GroupThere): readonly string[] {
  const there = new Set(groupsOf(former));
  return groupsOf(side).filter(group => {
    const key = groupThere(group);
    return key === undefined || !there.has(key);
  });
}

/** The groups of both sides of a rule. */
export const groupsOfRule = ({ rule }: PlacedRule): readonly string[] => [
  ...new Set([...groupsOf(rule.source), ...groupsOf(rule.destination)]),
];
