// Policies that the server names for flows that they do not admit in the states of their time.
// Either the server or the model is wrong, so nothing is proposed.
import { compareTexts } from '../../model/text/compareTexts.ts';
import type { ContradictedPolicy } from '../../model/tightening.ts';
import { flowCount } from '../attribution/flowCount.ts';
import type { Contradiction } from '../attribution/uses.ts';
import type { Evidence } from './evidence.ts';
import { examplesOf } from './judged.ts';

/**
 * The policies that the server names for flows that they do not admit, each once. Policies with the
 * most flows come first.
 */
export function contradictedPolicies(evidence: Evidence): readonly ContradictedPolicy[] {
  const nameOf = namesOf(evidence);
  const byPolicy = Map.groupBy(evidence.contradictions, ({ policy }) => policy);
  return [...byPolicy]
    .map(([id, found]) => contradicted(id, found, evidence, nameOf))
    .sort((one, other) => other.flows - one.flows || compareTexts(one.policy, other.policy));
}

function contradicted(
  id: string,
  found: readonly Contradiction[],
  evidence: Evidence,
  nameOf: (id: string) => string,
): ContradictedPolicy {
  const flows = found.map(({ flow }) => flow);
  const admitted = new Set(found.flatMap(one => one.admitted));
  const declared = evidence.rules.find(({ use }) => use.policy.id === id)?.rule.whole;
  return {
    policy: nameOf(id),
    ...(declared && {
      object: { kind: declared.kind, key: declared.key, at: declared.at },
    }),
    flows: flowCount(flows, evidence.usedDays),
    admitted: [...admitted].map(nameOf).sort(compareTexts),
    examples: examplesOf(flows, evidence),
  };
}

// Returns the name of a policy in the account, even if the policy was deleted.
function namesOf({ observed: { states } }: Evidence): (id: string) => string {
  const names = new Map(
    states.flatMap(({ state }) =>
      state.policies.flatMap(({ id, key }) => (id === undefined ? [] : [[id, key] as const])),
    ),
  );
  return id => names.get(id) ?? `id:${id}`;
}
