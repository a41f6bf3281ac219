// Posture checks (docs/server-behaviour.md#posture-checks). Another file checks their content.

import { postureCheckReferrer } from '../deletion/references.ts';
import type { Environment } from '../environment.ts';
import { objectId } from '../ids/new-object.ts';
import type { PostureCheckRecord } from '../records/topology.ts';
import { done, ok } from '../request/answer.ts';
import { object, optional, text } from '../request/body.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { DroppedConnection, invalid, notFound, precondition } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';
import { CHECKS, refuseRanges, writtenChecks } from './posture-check-values.ts';

const BODY = object({ name: text, description: text, checks: optional(CHECKS) });

export const postureChecks: Handlers = {
  listPostureChecks: account => ok(account.postureChecks.all()),

  createPostureCheck: (account, request, environment) => {
    const check = written(request, objectId(account.postureChecks, environment), environment);
    if (account.postureChecks.all().some(({ name }) => name === check.name))
      throw invalid(`posture check with name ${check.name} already exists`);
    account.postureChecks.put(check);
    account.log({ code: 'posture.check.create', target: check.id, meta: { name: check.name } });
    return ok(check);
  },

  getPostureCheck: (account, request) => ok(find(account, request)),

  updatePostureCheck: (account, request, environment) => {
    request.requireRead();
    const { id } = find(account, request);
    const check = written(request, id, environment);
    account.postureChecks.put(check);
    account.log({ code: 'posture.check.update', target: id, meta: { name: check.name } });
    return ok(check);
  },

  deletePostureCheck: (account, request) => {
    const { id, name } = find(account, request);
    const policy = postureCheckReferrer(account, id);
    if (policy !== undefined)
      throw precondition(`posture checks have been linked to policy: ${policy.name}`);
    account.postureChecks.remove(id);
    account.log({ code: 'posture.check.delete', target: id, meta: { name } });
    return done();
  },
};

function find(account: Account, request: ApiRequest): PostureCheckRecord {
  const id = request.path('postureCheckId');
  const check = account.postureChecks.get(id);
  if (check === undefined) throw notFound('posture check', id);
  return check;
}

function written(request: ApiRequest, id: string, { behaviour }: Environment): PostureCheckRecord {
  const { name, description, checks } = request.body(BODY, body => {
    if (body.checks === undefined && behaviour.missingChecks === 'a dropped connection')
      throw new DroppedConnection('a posture check without checks');
    refuseRanges(body.checks);
  });
  if (name === '') throw invalid("posture checks name shouldn't be empty");
  const isEmpty = checks === undefined || Object.values(checks).every(check => check === undefined);
  if (isEmpty && behaviour.missingChecks !== 'no checks')
    throw invalid("posture checks shouldn't be empty");
  return { id, name, description, checks: checks === undefined ? {} : writtenChecks(checks) };
}
