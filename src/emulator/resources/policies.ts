// Policies (docs/server-behaviour.md#policies-and-rules). Checks and ids of their rules are in other files.

import { objectId } from '../ids/new-object.ts';
import type { PolicyRecord } from '../records/topology.ts';
import { done, ok } from '../request/answer.ts';
import { flag, list, object, optional, type Read, text } from '../request/body.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { invalid, notFound } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';
import { isSamePolicy } from './policy-equality.ts';
import { RULE, refuseRule, writtenRule } from './policy-rule.ts';
import { newRules, updatedRules } from './policy-rule-ids.ts';
import { policyView, policyViews } from './policy-view.ts';

const BODY = object({
  name: text,
  description: text,
  enabled: flag,
  source_posture_checks: optional(list(text)),
  rules: list(RULE),
});

export const policies: Handlers = {
  listPolicies: (account, _request, environment) =>
    ok(policyViews(account, account.policies.all(), environment)),

  createPolicy: (account, request, environment) => {
    const body = request.body(BODY, refuseBad);
    const id = objectId(account.policies, environment);
    const { answered, kept } = newRules(rulesOf(account, body), id, environment);
    const policy = { id, ...fieldsOf(account, body) };
    account.policies.put({ ...policy, rules: kept });
    account.log({ code: 'policy.add', target: id, meta: { name: policy.name } });
    return ok(policyView(account, { ...policy, rules: answered }, environment));
  },

  getPolicy: (account, request, environment) =>
    ok(policyView(account, find(account, request), environment)),

  updatePolicy: (account, request, environment) => {
    request.requireRead();
    const before = find(account, request);
    const body = request.body(BODY, refuseBad);
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

/**
 * All fields except the rules. Unknown posture checks are dropped without an error
 * (docs/server-behaviour.md#policies-and-rules).
 */
function fieldsOf(account: Account, body: Read<typeof BODY>): Omit<PolicyRecord, 'id' | 'rules'> {
  const { name, description, enabled, source_posture_checks: checks } = body;
  const source_posture_checks =
    checks?.filter(check => account.postureChecks.get(check) !== undefined) ?? null;
  return { name, description, enabled, source_posture_checks };
}

function refuseBad({ name, rules }: Read<typeof BODY>): void {
  if (name === '') throw invalid("policy name shouldn't be empty");
  if (rules.length === 0) throw invalid("policy rules shouldn't be empty");
  for (const rule of rules) refuseRule(rule);
}

function rulesOf(account: Account, { rules }: Read<typeof BODY>) {
  return rules.map(rule => writtenRule(account, rule));
}
