// The observed use of each rule of a state, and the flows of the rule that a plan would have stopped.
import { admissionsIn, isStopped } from '../../access/admitted/admission.ts';
import type { AccessState } from '../../access/state/accessState.ts';
import type { PolicyPicture } from '../../model/access/accessPicture.ts';
import type { RuleUse as ShownUse } from '../../model/access/ruleUse.ts';
import { timeText } from '../../model/ending.ts';
import { attribute } from '../attribution/attributedFlows.ts';
import { summaryOf } from '../attribution/summary.ts';
import { usedDaysAmong } from '../attribution/usedDays.ts';
import { coverageOf } from '../coverage/coverage.ts';
import { daysIn, type Observed, type ObservedFlow, type Time } from '../observed.ts';

/** The use of the rules of a state that accept traffic. `after` is the state after the plan. */
export function rulesUsed(
  observed: Observed,
  state: AccessState,
  after?: AccessState,
): readonly ShownUse[] {
  const used = usedDaysAmong(observed.flows);
  const coverage = coverageOf(observed, state);
  const isStopped = after && stoppedBetween(state, after);
  const ofDays = daysIn(observed.window);
  const since = dateText(observed.window.from);
  return attribute(observed, state).rules.flatMap(one => {
    const { policy, rule, uses, unknown } = one;
    if (!policy.isEnabled || !rule.isEnabled || rule.isDrop) return [];
    const { days, last } = summaryOf(uses, used);
    const stopped = isStopped && summaryOf(uses.filter(isStopped), used);
    return {
      policy: policy.key,
      rule: rule.name,
      position: one.position,
      ...(last !== undefined && { last: dateText(last) }),
      days: Math.min(days.size, ofDays),
      ofDays,
      isCovered: unknown.length === 0 && coverage.ofRule(one).isCovered,
      since,
      ...(stopped &&
        stopped.flows > 0 && { stopped: { flows: stopped.flows, machines: stopped.sources } }),
    };
  });
}

/** A picture with the use of its rules. */
export function withUses<T extends { readonly policies: readonly PolicyPicture[] }>(
  picture: T,
  uses: readonly ShownUse[] | undefined,
): T {
  if (uses === undefined) return picture;
  const nameOf = (policy: string, position: number) => JSON.stringify([policy, position]);
  const known = new Map(uses.map(use => [nameOf(use.policy, use.position), use]));
  const policies = picture.policies.map(policy => {
    const rules = policy.rules.map((rule, position) => {
      const use = known.get(nameOf(policy.name, position));
      return use ? { ...rule, use } : rule;
    });
    return { ...policy, rules };
  });
  return { ...picture, policies };
}

const dateText = (time: Time): string => timeText(time).slice(0, 10);

// Flows that the first state admits, but not the second.
function stoppedBetween(
  one: AccessState,
  other: AccessState,
): (use: { readonly flow: ObservedFlow }) => boolean {
  const before = admissionsIn(one);
  const after = admissionsIn(other);
  return ({ flow }) => isStopped(before.admissionsOf(flow), after.admissionsOf(flow));
}
