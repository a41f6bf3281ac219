// Setup keys (docs/server-behaviour.md#setup-keys). Only a few fields of a key can change, and its value is shown once.

import type { Environment } from '../environment.ts';
import { allGroup } from '../groups/membership.ts';
import { numberedId } from '../ids/new-object.ts';
import { shownId } from '../ids/numbers.ts';
import { digest, masked } from '../ids/secret-tokens.ts';
import { newUuid } from '../ids/source.ts';
import { stateOf } from '../peers/setup-key-state.ts';
import type { Meta } from '../records/audit-meta.ts';
import type { SetupKeyRecord } from '../records/people.ts';
import { type Answer, done, ok } from '../request/answer.ts';
import { flag, list, object, optional, type Read, text, whole } from '../request/body.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { invalid, notFound } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';
import { NEVER, SECOND, timestamp, timestampAfter } from '../time/times.ts';

const BODY = object({
  name: text,
  type: text,
  expires_in: whole,
  auto_groups: list(text),
  usage_limit: whole,
  ephemeral: flag,
  allow_extra_dns_labels: flag,
});
const UPDATE = object({ revoked: flag, auto_groups: optional(list(text)) });

const TYPES = ['one-off', 'reusable'];

export const setupKeys: Handlers = {
  listSetupKeys: (account, _request, environment) =>
    ok(account.setupKeys.all().map(key => view(key, environment))),

  createSetupKey: (account, request, environment) => {
    const secret = environment.chosen?.secret ?? newUuid(environment.random).toUpperCase();
    const key = written(account, request.body(BODY, refuseBad), secret, environment);
    account.setupKeys.put(key);
    account.log({ code: 'setupkey.add', target: key.id, meta: metaOf(key) });
    logGroups(account, key, 'setupkey.group.add', key.auto_groups);
    return ok({ ...view(key, environment), key: secret });
  },

  getSetupKey: (account, request, environment) => shown(view(find(account, request), environment)),

  updateSetupKey: (account, request, environment) => {
    const { revoked, auto_groups = [] } = request.body(UPDATE, body => {
      if (body.auto_groups === undefined)
        throw invalid('setup key autogroups field is invalid: auto_groups is required');
    });
    refuseGroups(account, auto_groups);
    const before = find(account, request);
    if (before.revoked && !revoked) throw invalid("can't un-revoke a revoked setup key");
    const updated_at = timestamp(environment.clock);
    const key: SetupKeyRecord = { ...before, revoked, auto_groups, updated_at };
    account.setupKeys.put(key);
    logChanges(account, before, key);
    return shown(view(key, environment));
  },

  deleteSetupKey: (account, request) => {
    const key = find(account, request);
    account.setupKeys.remove(key.id);
    account.log({ code: 'setupkey.delete', target: key.id, meta: metaOf(key) });
    return done();
  },
};

/** A key in the response of the only operation without a charset in its header. */
function shown(key: ReturnType<typeof view>): Answer {
  return { ...ok(key), headers: { 'Content-Type': 'application/json' } };
}

function refuseBad({ name, type, expires_in, usage_limit }: Read<typeof BODY>): void {
  if (name === '') throw invalid("setup key name shouldn't be empty");
  if (!TYPES.includes(type)) throw invalid(`unknown setup key type ${type}`);
  if (expires_in < 0) throw invalid('expires_in can not be in the past');
  if (type === 'one-off' && usage_limit > 1)
    throw invalid(`usage_limit ${usage_limit} is not valid for a one-off key, which is used once`);
}

function find(account: Account, request: ApiRequest): SetupKeyRecord {
  const id = request.path('keyId');
  const key = account.setupKeys.get(id);
  if (key === undefined) throw notFound('setup key', id);
  return key;
}

function written(
  account: Account,
  body: Read<typeof BODY>,
  secret: string,
  environment: Environment,
): SetupKeyRecord {
  const { expires_in, usage_limit, ...rest } = body;
  refuseGroups(account, body.auto_groups);
  const { clock } = environment;
  return {
    id: numberedId(account.setupKeys, { account, kind: 'setup_keys' }, environment),
    ...rest,
    expires: expires_in === 0 ? NEVER : timestampAfter(clock, expires_in * SECOND),
    revoked: false,
    used_times: 0,
    last_used: NEVER,
    updated_at: timestamp(clock),
    usage_limit: body.type === 'one-off' ? 1 : usage_limit,
    masked: masked(secret),
    digest: digest(secret),
  };
}

/** Refuses the group All: every peer is in it, so a key cannot add peers to it. */
function refuseGroups(account: Account, groups: readonly string[]): void {
  const all = allGroup(account);
  for (const id of groups)
    if (account.groups.get(id) === undefined || id === all?.id)
      throw invalid(`invalid auto groups: ${id}`);
}

function logChanges(account: Account, before: SetupKeyRecord, key: SetupKeyRecord): void {
  if (key.revoked && !before.revoked)
    account.log({ code: 'setupkey.revoke', target: key.id, meta: metaOf(key) });
  const without = (some: SetupKeyRecord, others: SetupKeyRecord) =>
    some.auto_groups.filter(id => !others.auto_groups.includes(id));
  logGroups(account, key, 'setupkey.group.add', without(key, before));
  logGroups(account, key, 'setupkey.group.delete', without(before, key));
}

function logGroups(
  account: Account,
  { id, name }: SetupKeyRecord,
  code: 'setupkey.group.add' | 'setupkey.group.delete',
  groups: readonly string[],
): void {
  for (const group_id of groups) {
    const group = account.groups.get(group_id)?.name ?? '';
    account.log({ code, target: id, meta: { group, group_id, setupkey: name } });
  }
}

function metaOf({ name, type, masked: key }: SetupKeyRecord): Meta {
  return { name, type, key };
}

function view(key: SetupKeyRecord, environment: Environment) {
  const { digest: _, masked: shown, ...rest } = key;
  const state = stateOf(key, environment.clock);
  return { ...rest, id: shownId(key.id, environment), key: shown, state, valid: state === 'valid' };
}
