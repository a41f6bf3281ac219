// The rules of a policy after a write, and their ids. The two dialects differ here
// (docs/server-behaviour.md#policies-and-rules).
import type { Environment } from '../environment.ts';
import type { PolicyRecord, RuleRecord } from '../records/topology.ts';
import { invalid } from '../request/refusal.ts';

/** The rules in the response and the stored rules, which may differ. */
export interface RuleSet {
  readonly answered: readonly RuleRecord[];
  readonly kept: readonly RuleRecord[];
}

/** The rules of a new policy. Ids in the request are ignored. */
export function newRules(
  rules: readonly RuleRecord[],
  policy: string,
  environment: Environment,
): RuleSet {
  return environment.behaviour.rules === 'one'
    ? collapsed(rules.map(rule => ({ ...rule, id: policy })))
    : asSent(rules.map(rule => ({ ...rule, id: environment.newId() })));
}

/** The rules of a policy after an update. Throws a 422 for an id that no rule of the policy has. */
export function updatedRules(
  rules: readonly RuleRecord[],
  before: PolicyRecord,
  environment: Environment,
): RuleSet {
  for (const { id } of rules)
    if (id !== '' && before.rules.every(rule => rule.id !== id))
      throw invalid(`invalid rule id: ${id}`);
  if (environment.behaviour.rules === 'one') {
    const { answered, kept } = collapsed(
      rules.map(rule => ({ ...rule, id: rule.id || before.id })),
    );
    return { answered, kept: merged(before.rules, kept) };
  }
  refuseTwins(rules);
  return asSent(rules.map(rule => ({ ...rule, id: rule.id || environment.newId() })));
}

function asSent(rules: readonly RuleRecord[]): RuleSet {
  return { answered: rules, kept: rules };
}

/** If several rules have the same id, only the first is stored, although the response contains all of them. */
function collapsed(rules: readonly RuleRecord[]): RuleSet {
  const kept = rules.filter(({ id }, index) => rules.findIndex(rule => rule.id === id) === index);
  return { answered: rules, kept };
}

/** The rules after an update: rules that the request omits are kept. */
function merged(before: readonly RuleRecord[], sent: readonly RuleRecord[]): readonly RuleRecord[] {
  const byId = new Map([...before, ...sent].map(rule => [rule.id, rule]));
  return [...byId.values()];
}

function refuseTwins(rules: readonly RuleRecord[]): void {
  const ids = rules.map(({ id }) => id).filter(id => id !== '');
  const twin = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twin !== undefined) throw invalid(`invalid rule id: ${twin} is used twice`);
}
