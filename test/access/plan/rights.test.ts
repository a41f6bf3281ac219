// Rights: what a plan gives to people, keys and machines without opening a port.
import { describe, expect, test } from 'vitest';
import { rightsOf } from '../../../src/access/plan/rights.ts';
import { sentSecrets } from '../../../src/access/plan/sentSecrets.ts';
import type { ShownChange } from '../../../src/model/change.ts';
import { type Address, type Key, kindName } from '../../../src/model/names.ts';
import type { ShownAction } from '../../../src/model/plan.ts';
import { secretFrom } from '../../../src/model/secrets/secret.ts';
import type { ShownFields } from '../../../src/model/secrets/shown.ts';
import type { Fields } from '../../../src/model/value.ts';
import { KINDS } from '../../support/files.ts';

// Nothing here is secret.
const change = (kind: string, before?: Fields, after?: Fields): ShownChange => ({
  address: `${kind}.it` as Address,
  kind: kindName(kind),
  key: 'it' as Key,
  type: before === undefined ? 'create' : after === undefined ? 'delete' : 'update',
  ...(before && { before: before as ShownFields }),
  ...(after && { after: after as ShownFields }),
  fields: [],
  notes: [],
});

const GUARDED = [{ to: 'group/databases:tcp/5432' }];

const KEY = { auto_groups: ['databases'], type: 'one-off', usage_limit: 1 };

const login = (authorized_groups: Fields): Fields => ({
  rules: [{ name: 'r', protocol: 'netbird-ssh', sources: ['devs'], authorized_groups }],
});

const messages = (one: ShownChange) =>
  rightsOf(KINDS, [one], GUARDED).map(({ message }) => message);

test.each([
  ['disabled', 'latest', 1],
  ['', '0.66', 1],
  ['0.60', '0.66', 1],
  ['latest', 'disabled', 0],
  ['latest', '', 0],
  ['latest', 'latest', 0],
])('clients that update themselves, changed from %j to %j, are a right: %d', (was, is, count) => {
  const one = change('account_settings', { auto_update_version: was }, { auto_update_version: is });
  expect(messages(one)).toHaveLength(count);
});

test.each([
  [false, true, 1],
  [true, false, 0],
  [true, true, 0],
])(
  'clients that update themselves unasked, changed from %j to %j, are a right: %d',
  (was, is, count) => {
    const side = (auto_update_always: boolean) => ({
      auto_update_version: 'latest',
      auto_update_always,
    });
    expect(messages(change('account_settings', side(was), side(is)))).toHaveLength(count);
  },
);

describe('a right is granted by', () => {
  test.each([
    [
      'a higher role',
      change('user', { role: 'user' }, { role: 'admin' }),
      ['role admin (was user)'],
    ],
    [
      'another role of the same rank',
      change('user', { role: 'auditor' }, { role: 'billing_admin' }),
      ['role billing_admin (was auditor)'],
    ],
    [
      'a new user with a role',
      change('service_user', undefined, { role: 'network_admin' }),
      ['role network_admin'],
    ],
    [
      'an unblocked admin',
      change('user', { role: 'admin', is_blocked: true }, { role: 'admin', is_blocked: false }),
      ['role admin', 'is no longer blocked'],
    ],
    [
      'groups of a person',
      change('user', { auto_groups: ['a'] }, { auto_groups: ['a', 'b'] }),
      ['joins b with every machine'],
    ],
    [
      'an invite',
      change('user_invite', undefined, { role: 'user', auto_groups: [] }),
      ['a new way to sign in'],
    ],
    [
      'a key of a guarded group',
      change('setup_key', undefined, { auto_groups: ['databases'] }),
      ['joins databases with every machine that enrols'],
    ],
    [
      'a key whose machines may take names',
      change('setup_key', undefined, { auto_groups: [], allow_extra_dns_labels: true }),
      ['its machines may take additional DNS names'],
    ],
    ['SSH', change('peer', { ssh_enabled: false }, { ssh_enabled: true }), ['SSH to the machine']],
    [
      'a new provider',
      change('identity_provider', undefined, { issuer: 'a' }),
      ['a new way to sign in'],
    ],
    [
      'another issuer',
      change('identity_provider', { issuer: 'a' }, { issuer: 'b' }),
      ['another way to sign in'],
    ],
    [
      'an enabled directory',
      change('directory_sync_a', { enabled: false }, { enabled: true }),
      ['another way to sign in'],
    ],
    [
      'a replaced key of a guarded group',
      {
        ...change('setup_key', KEY, { ...KEY, usage_limit: 0 }),
        type: 'replace' as const,
      },
      ['joins databases with every machine that enrols'],
    ],
    [
      'a service user of a guarded group',
      change('service_user', undefined, { role: 'user', auto_groups: ['databases', 'b'] }),
      ['joins databases with every machine'],
    ],
    [
      'another local user of an SSH rule',
      change('policy', login({ devs: ['ubuntu'] }), login({ devs: ['ubuntu', 'root'] })),
      ['devs may log in as root'],
    ],
    [
      'any local user of an SSH rule',
      change('policy', login({ devs: ['ubuntu'] }), login({ devs: [] })),
      ['devs may log in as any user'],
    ],
    [
      'an SSH rule that loses its list',
      change('policy', login({ devs: ['ubuntu'] }), login({})),
      ['devs may log in as any user'],
    ],
    [
      'another region of an EDR provider',
      {
        ...change('edr_provider_d', { cloud_id: 'eu-1' }, { cloud_id: 'us-1' }),
        fields: [{ type: 'value', path: ['cloud_id'] }],
      } as ShownChange,
      ['another account of the provider decides which peers meet its conditions'],
    ],
    [
      'another address of an EDR provider',
      {
        ...change('edr_provider_a', { api_url: 'https://a.test' }, { api_url: 'https://b.test' }),
        fields: [{ type: 'value', path: ['api_url'] }],
      } as ShownChange,
      ['another account of the provider decides which peers meet its conditions'],
    ],
    [
      'another tenant of an EDR provider',
      {
        ...change('edr_provider_b', { tenant_id: 'a' }, { tenant_id: 'b' }),
        fields: [{ type: 'value', path: ['tenant_id'] }],
      } as ShownChange,
      ['another account of the provider decides which peers meet its conditions'],
    ],
    ['a token', change('token', undefined, {}), ['a new token']],
    ['a token of the proxy', change('proxy_token', undefined, { name: 'edge' }), ['a new token']],
    [
      'a replaced token of the proxy',
      { ...change('proxy_token', { name: 'edge' }, { name: 'edge' }), type: 'replace' as const },
      ['a new token'],
    ],
    ['a person', change('user', undefined, { role: 'user' }), ['a new way to sign in']],
    [
      'a person who is no longer blocked',
      change('user', { role: 'user', is_blocked: true }, { role: 'user', is_blocked: false }),
      ['is no longer blocked'],
    ],
    [
      'a service user that is no longer blocked',
      change('service_user', { is_blocked: true }, { is_blocked: false }),
      ['is no longer blocked: its tokens work'],
    ],
    [
      'a machine whose login does not end',
      change('peer', { login_expiration_enabled: true }, { login_expiration_enabled: false }),
      ['stays in the network without another sign-in'],
    ],
    [
      'a machine that may be away',
      change(
        'peer',
        { inactivity_expiration_enabled: true },
        { inactivity_expiration_enabled: false },
      ),
      ['may be away for any time without another sign-in'],
    ],
    [
      'a machine that is approved',
      change('peer', { approval_required: true }, { approval_required: false }),
      ['no longer waits for approval'],
    ],
    [
      'another directory',
      change('directory_sync_a', { tenant_id: 'a' }, { tenant_id: 'b' }),
      ['another way to sign in'],
    ],
    [
      'another connector',
      change('scim_integration', { connector_id: 'a' }, { connector_id: 'b' }),
      ['another way to sign in'],
    ],
    [
      'more people of a directory',
      change('scim_integration', { user_group_prefixes: ['a'] }, { user_group_prefixes: [] }),
      ['people of more groups of the directory are users'],
    ],
    [
      'a condition for machines that ends',
      change('edr_provider_a', { enabled: true }, undefined),
      ['peers that do not meet the conditions of the provider are let in'],
    ],
    [
      'a lower score',
      change('edr_provider_d', { zta_score_threshold: 80 }, { zta_score_threshold: 10 }),
      ['peers with a lower score are let in'],
    ],
    [
      'a role in a tenant',
      change(
        'msp_tenant',
        { groups: [{ id: 'a', role: 'user' }] },
        { groups: [{ id: 'a', role: 'admin' }] },
      ),
      ['more groups have access to the tenant, or groups have another role in it'],
    ],
    [
      'a list of peers that people see',
      change(
        'account_settings',
        { regular_users_view_blocked: true },
        { regular_users_view_blocked: false },
      ),
      ['people with the role `user` see the peers of the account'],
    ],
  ])('%s', (_, one, expected) => {
    expect(messages(one)).toEqual(expected);
  });
});

describe('no right is granted by', () => {
  test.each([
    ['a lower role', change('user', { role: 'admin' }, { role: 'auditor' })],
    ['the least role', change('service_user', undefined, { role: 'user' })],
    ['a blocked user', change('user', undefined, { role: 'admin', is_blocked: true })],
    ['fewer groups', change('user', { auto_groups: ['a', 'b'] }, { auto_groups: ['b'] })],
    ['a key of other groups', change('setup_key', undefined, { auto_groups: ['others'] })],
    [
      'a revoked key',
      change('setup_key', undefined, { auto_groups: ['databases'], revoked: true }),
    ],
    ['SSH that stays', change('peer', { ssh_enabled: true }, { ssh_enabled: true })],
    [
      'another name of a provider',
      change('identity_provider', { name: 'a', issuer: 'a' }, { name: 'b', issuer: 'a' }),
    ],
    ['a deleted admin', change('user', { role: 'admin' })],
    ['fewer local users', change('policy', login({ devs: [] }), login({ devs: ['root'] }))],
    [
      'an SSH rule that is disabled',
      change('policy', login({ devs: ['ubuntu'] }), { ...login({ devs: [] }), enabled: false }),
    ],
    ['a policy', change('policy', undefined, { enabled: true })],
    ['a new condition', change('edr_provider_d', undefined, { zta_score_threshold: 80 })],
    ['a deleted token', change('proxy_token', { name: 'edge' })],
    [
      'a machine whose login ends',
      change('peer', { login_expiration_enabled: false }, { login_expiration_enabled: true }),
    ],
  ])('%s', (_, one) => {
    expect(messages(one)).toEqual([]);
  });
});

describe('an update that sends a secret', () => {
  const service = (auth: Fields, more: Fields = {}): Fields => ({
    domain: 'a.example.com',
    targets: [],
    auth,
    ...more,
  });
  const pinFrom = (source: string) => ({
    pin_auth: { enabled: true, pin: secretFrom(source) },
  });
  const PIN = pinFrom('${env:PIN}');
  const HEADERS = {
    header_auths: [
      { enabled: true, header: 'x-key', value: secretFrom('${env:KEY}') },
      { enabled: false, header: 'x-off', value: secretFrom('${env:OFF}') },
    ],
  };
  const renamed = { type: 'value', path: ['name'] } as const;
  const said = (
    kind: string,
    after: Fields,
    fields: readonly object[],
    areCompared = false,
    before = after,
  ) => {
    const one = { ...change(kind, before, after), fields } as ShownChange;
    const action = { verb: 'update', address: one.address, fields: after } as unknown;
    const plan = { changes: [one], actions: [action as ShownAction] };
    const sent = sentSecrets(KINDS, plan, areCompared);
    return rightsOf(KINDS, plan.changes, GUARDED, sent).map(({ message }) => message);
  };
  const lets = (path: string) =>
    `the secret in ${path} is sent, and may differ from the current one: whoever knows the new secret gets access`;
  const pinChanged = { type: 'value', path: ['auth', 'pin_auth', 'pin'], since: 'pending' };

  test('a secret of a lock gives a right if nothing says that the account has it', () => {
    expect(said('proxy_service', service(PIN), [renamed])).toEqual([lets('auth.pin_auth.pin')]);
    const [header] = said('proxy_service', service(HEADERS), [renamed]);
    expect(header).toBe(lets('auth.header_auths.x-key.value'));
    expect(said('proxy_service', service(HEADERS), [renamed])).toHaveLength(1);
  });

  test('a secret of a lock gives a right if its source or value is different', () => {
    const fields = [{ ...renamed, since: 'pending' }, pinChanged];
    expect(said('proxy_service', service(PIN), fields)).toEqual([lets('auth.pin_auth.pin')]);
    expect(said('proxy_service', service(PIN), fields, true)).toHaveLength(1);
  });

  test('gives no right if the base has its source, or its value was sent before', () => {
    expect(said('proxy_service', service(PIN), [{ ...renamed, since: 'pending' }])).toEqual([]);
    expect(said('proxy_service', service(PIN), [renamed], true)).toEqual([]);
  });

  test.each(['${file:pin.txt}', '${sops:secrets.yaml#pin}', '${env:HALF}${file:half.txt}'])(
    'gives a right if the base has its source %s, which may be another file by now',
    source => {
      const fields = [{ ...renamed, since: 'pending' }];
      const auth = pinFrom(source);
      expect(said('proxy_service', service(auth), fields)).toEqual([lets('auth.pin_auth.pin')]);
      expect(said('proxy_service', service(auth), fields, true)).toEqual([]);
    },
  );

  test('gives no right if no file is a part of its source in the base', () => {
    const fields = [{ ...renamed, since: 'pending' }];
    for (const source of ['${env:PIN}', '$${file:pin.txt}${env:PIN}'])
      expect(said('proxy_service', service(pinFrom(source)), fields)).toEqual([]);
  });

  test('gives no right if everybody was admitted before', () => {
    const targets = [{ target: { peer: 'web' } }];
    const after = service(PIN, { targets });
    expect(said('proxy_service', after, [renamed], false, service({}, { targets }))).toEqual([]);
    expect(
      said('proxy_service', after, [renamed], false, service(HEADERS, { targets })),
    ).toHaveLength(1);
    const off = service({}, { targets, enabled: false });
    expect(said('proxy_service', after, [renamed], false, off)).toHaveLength(1);
  });

  test('gives no right if no key counts', () => {
    expect(said('proxy_service', service(PIN, { private: true }), [renamed])).toEqual([]);
  });

  test('a secret of an identity provider gives a right', () => {
    const provider = { name: 'a', client_secret: secretFrom('${env:SECRET}') };
    const says = ['the client secret is sent, and may differ from the one before'];
    expect(said('identity_provider', provider, [renamed])).toEqual(says);
    expect(said('identity_provider', provider, [renamed], true)).toEqual([]);
  });
});
