// The machines whose access may differ between two states: the machines on a side of a changed
// rule.

import { changed, nameOf } from '../diff/stateChanges.ts';
import { allBits, areEqual, type Bits, noBits, orInto } from '../sets/bits.ts';
import { intervalsText } from '../sets/traffic.ts';
import type { CompiledPolicy, CompiledRule } from '../world/compiledPolicies.ts';
import type { World } from '../world/world.ts';

/** Every current or future machine whose incoming access may differ between the two states. */
export function affectedMachines(one: World, other: World): Bits {
  if (changed(one.state.machines, other.state.machines).length > 0) return allBits(one.size);
  const affected = noBits();
  const [rules, others] = [one, other].map(({ policies, internetRules }) => [
    ...policies,
    ...internetRules,
  ]);
  const known = new Map((others ?? []).map(policy => [nameOf(policy.policy), policy]));
  for (const policy of rules ?? []) {
    const name = nameOf(policy.policy);
    const same = known.get(name);
    known.delete(name);
    noteRules(affected, policy, same, !same || !isJudgedAlike(policy, same, one, other));
  }
  for (const policy of known.values()) noteRules(affected, policy, undefined, true);
  return affected;
}

function noteRules(
  affected: Bits,
  { rules }: CompiledPolicy,
  other: CompiledPolicy | undefined,
  isOther: boolean,
): void {
  const count = Math.max(rules.length, other?.rules.length ?? 0);
  for (let at = 0; at < count; at++) {
    const rule = rules[at];
    const same = other?.rules[at];
    if (!isOther && rule && same && areAlike(rule, same)) continue;
    for (const one of [rule, same]) {
      if (!one?.isActive) continue;
      orInto(affected, one.sources);
      orInto(affected, one.destinations);
    }
  }
}

function isJudgedAlike(
  { policy }: CompiledPolicy,
  { policy: same }: CompiledPolicy,
  one: World,
  other: World,
): boolean {
  if (one.verdicts.checksOf(policy).length !== other.verdicts.checksOf(same).length) return false;
  const here = one.verdicts.passing(policy);
  const there = other.verdicts.passing(same);
  // With two different definitions of a check, the same members may be undecided but have different
  // results.
  const [text, others] = [one.verdicts.requiredBy(policy), other.verdicts.requiredBy(same)].map(
    required => required.map(condition => condition.text).join('\n'),
  );
  if (text !== others) return false;
  return areEqual(here.pass, there.pass) && areEqual(here.passOrUnknown, there.passOrUnknown);
}

function areAlike(one: CompiledRule, other: CompiledRule): boolean {
  if (!one.isActive && !other.isActive) return true;
  return (
    one.isActive === other.isActive &&
    formOf(one) === formOf(other) &&
    areEqual(one.sources, other.sources) &&
    areEqual(one.destinations, other.destinations)
  );
}

function formOf({ rule, traffic, trafficOfOldAgents }: CompiledRule): string {
  const { isDrop, isBidirectional, source } = rule;
  const parts = [
    isDrop,
    isBidirectional,
    source.type,
    intervalsText(traffic),
    intervalsText(trafficOfOldAgents),
  ];
  return parts.join(' ');
}
