// Finds the rules that cause the difference at a machine: rules that count there before or after a
// change, but not in the same way.
import { answersSshOnlyIn } from '../ask/answeredSsh.ts';
import type { Reaches } from '../flows/reaches.ts';
import type { Inbound } from '../machines/machineReach.ts';
import { tellingAt } from '../outcomes/machineOutcomes.ts';
import { textOf } from '../outcomes/outcomes.ts';
import type { CompiledRule } from '../world/compiledPolicies.ts';
import { BOUNDS } from './targetRows.ts';

/**
 * A string that identifies the cause of the difference at a machine: the rules whose entries
 * differ, and SSH that is enabled or disabled there. Empty if there is no difference.
 */
export function responsibleRules(before: Reaches, after: Reaches, index: number): string {
  const rules = new Set<string>(sshSwitchedAt(before, after, index));
  for (const reading of BOUNDS) {
    const [former, latter] = [before, after].map(reaches =>
      reaches.under(reading).machines.inboundAt(index),
    );
    if (former && latter && !areSame(former, latter)) {
      noteOnlyIn(rules, former, latter);
      noteOnlyIn(rules, latter, former);
    }
    if (!before.hasPosture && !after.hasPosture) break;
  }
  if (before.hasPosture || after.hasPosture) noteConditions(rules, before, after, index);
  return [...rules].sort().join('\n');
}

function sshSwitchedAt(before: Reaches, after: Reaches, index: number): readonly string[] {
  const target = { type: 'machine', index } as const;
  const isSwitched =
    answersSshOnlyIn(before.world, after.world, target) ||
    answersSshOnlyIn(after.world, before.world, target);
  return isSwitched ? ['\u0000ssh'] : [];
}

// Most machines have the same entries before and after.
function areSame(one: readonly Inbound[], other: readonly Inbound[]): boolean {
  return one.length === other.length && one.every(({ entry }, at) => entry === other[at]?.entry);
}

// A rule makes no difference if the other list has a rule with the same entry.
function noteOnlyIn(
  rules: Set<string>,
  inbound: readonly Inbound[],
  others: readonly Inbound[],
): void {
  const known = new Set(others.map(({ entry }) => entry));
  for (const { compiled, isReverse, entry } of inbound)
    if (!known.has(entry)) rules.add(nameOf(compiled, isReverse));
}

// Adds rules that are in both states but count under other conditions.
function noteConditions(rules: Set<string>, before: Reaches, after: Reaches, index: number): void {
  const was = conditionsAt(before, index);
  const is = conditionsAt(after, index);
  for (const [condition, rule] of was) if (!is.has(condition)) rules.add(rule);
  for (const [condition, rule] of is) if (!was.has(condition)) rules.add(rule);
}

// The rules with conditions, by their effect and conditions. An accept rule is listed with its
// sources for `granted`, a drop rule with its sources for `certain`.
function conditionsAt(reaches: Reaches, index: number): ReadonlyMap<string, string> {
  const { world } = reaches;
  const found = new Map<string, string>();
  const note = (bound: 'granted' | 'certain', isDrop: boolean) => {
    for (const { compiled, isReverse, entry } of reaches.under(bound).machines.inboundAt(index)) {
      const { rule, policy } = compiled;
      if (rule.isDrop !== isDrop || rule.source.type !== 'groups') continue;
      const required = world.verdicts.requiredBy(policy);
      if (required.length > 0)
        found.set(`${entry.id} ${isReverse} ${textOf(required)}`, nameOf(compiled, isReverse));
    }
  };
  note('granted', false);
  note('certain', true);
  for (const { name, compiled } of tellingAt(world, index)) found.set(name, nameOf(compiled, true));
  return found;
}

const nameOf = ({ policy, rule }: CompiledRule, isReverse: boolean): string =>
  `${policy.key}\u0000${rule.name}\u0000${isReverse}`;
