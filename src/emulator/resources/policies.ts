// Policies (facts §5.6). Their rules are checked and numbered in files of their own.
import type { Account } from '../account.ts';
import { done, ok } from '../answer.ts';
import { flag, list, object, type Read, text } from '../body.ts';
import type { ApiRequest, Handlers } from '../handler.ts';
import type { PolicyRecord } from '../records/topology.ts';
import { invalid, notFound } from '../refusal.ts';
import { isSamePolicy } from './policy-equality.ts';
import { RULE, writtenRule } from './policy-rule.ts';
import { newRules, updatedRules } from './policy-rule-ids.ts';
import { policyView } from './policy-view.ts';

const BODY = object({
  name: text,
  description: text,
  enabled: flag,
  source_posture_checks: list(text),
  rules: list(RULE),
});

export const policies: Handlers = {
  listPolicies: (account, _request, environment) =>
    ok(account.policies.all().map(policy => policyView(account, policy, environment))),

  createPolicy: (account, request, environment) => {
    const body = request.body(BODY);
    const id = environment.newId();
    const { answered, kept } = newRules(rulesOf(account, body), id, environment);
    const policy = { id, ...fieldsOf(account, body) };
    account.policies.put({ ...policy, rules: kept });
    account.log({ code: 'policy.add', target: id, meta: { name: policy.name } });
    return ok(policyView(account, { ...policy, rules: answered }, environment));
  },

  getPolicy: (account, request, environment) =>
    ok(policyView(account, find(account, request), environment)),

  updatePolicy: (account, request, environment) => {
    const before = find(account, request);
    const body = request.body(BODY);
    const { answered, kept } = updatedRules(rulesOf(account, body), before, environment);
    const policy = { id: before.id, ...fieldsOf(account, body) };
    const after: PolicyRecord = { ...policy, rules: kept };
    if (!isSamePolicy(before, after)) {
      account.policies.put(after);
      account.log({ code: 'policy.update', target: after.id, meta: { name: after.name } });
    }
    return ok(policyView(account, { ...policy, rules: answered }, environment));
  },

  deletePolicy: (account, request) => {
    const { id, name } = find(account, request);
    account.policies.remove(id);
    account.log({ code: 'policy.delete', target: id, meta: { name } });
    return done();
  },
};

function find(account: Account, request: ApiRequest): PolicyRecord {
  const id = request.path('policyId');
  const policy = account.policies.get(id);
  if (policy === undefined) throw notFound('policy', id);
  return policy;
}

/** Everything but the rules. Posture checks that are not there are dropped without a word (facts, fact 3). */
function fieldsOf(account: Account, body: Read<typeof BODY>): Omit<PolicyRecord, 'id' | 'rules'> {
  const { name, description, enabled } = body;
  if (name === '') throw invalid('policy name should not be empty');
  const source_posture_checks = body.source_posture_checks.filter(
    check => account.postureChecks.get(check) !== undefined,
  );
  return { name, description, enabled, source_posture_checks };
}

function rulesOf(account: Account, body: Read<typeof BODY>) {
  if (body.rules.length === 0) throw invalid('policy rules should not be empty');
  return body.rules.map(rule => writtenRule(account, rule));
}
