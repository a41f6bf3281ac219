// Secrets cannot be read back: what makes one be sent again, and what makes an object with a secret of its own anew.
import { describe, expect, test } from 'vitest';
import { accepted } from '../../../src/engine/checks/hazards.ts';
import type { FieldChange } from '../../../src/model/change.ts';
import { secretFrom } from '../../../src/model/secrets/secret.ts';
import { type Options, planFor, type Read } from '../planning.ts';

const hook = (secret: string, more = '') => `
notification_channels:
  - type: webhook
    event_types: [user.join]
    target: { url: https://hook.example.com, headers: { Authorization: "${secret}" } }
    ${more}
`;
const HOOK: Read = [
  'notification_channel',
  {
    id: 'c1',
    type: 'webhook',
    event_types: ['user.join'],
    enabled: true,
    target: { url: 'https://hook.example.com', headers: { Authorization: '****' } },
  },
];
const EDR = `
edr:
  provider_a:
    { api_url: https://edr.example.com, api_token: "${'${env:EDR}'}", match_attributes: { infected: false },
      groups: [], last_synced_interval: 24 }
`;
const EDR_READ: Read = [
  'edr_provider_a',
  {
    id: '7',
    api_url: 'https://edr.example.com',
    match_attributes: { infected: false },
    groups: [],
    last_synced_interval: 24,
    enabled: true,
  },
];
const KEY = 'setup_keys: [{ name: ci, type: reusable, expires_in: 86400 }]';
const KEY_READ: Read = [
  'setup_key',
  {
    id: '3',
    name: 'ci',
    type: 'reusable',
    auto_groups: [],
    usage_limit: 0,
    state: 'valid',
    ephemeral: false,
    allow_extra_dns_labels: false,
    revoked: false,
    key: 'A1B2****',
  },
];

/** What a plan changes, field by field. */
function changed(files: string, read: Read, options: Options = {}): FieldChange[] {
  return planFor(files, [read], options).changes.flatMap(({ fields }) => fields);
}

describe('a secret that the files declare', () => {
  test('is not sent again if nothing shows that it changed', () => {
    expect(changed(hook('${env:HOOK}'), HOOK)).toEqual([]);
    expect(changed(hook('${env:HOOK}'), HOOK, { base: hook('${env:HOOK}') })).toEqual([]);
    expect(changed(EDR, EDR_READ)).toEqual([]);
  });

  test('is sent if its source differs from the base', () => {
    const base = hook('${env:OLD}');
    expect(changed(hook('${env:HOOK}'), HOOK, { base })).toEqual([
      {
        type: 'value',
        path: ['target', 'headers', 'Authorization'],
        since: 'pending',
        before: secretFrom('${env:OLD}'),
        after: secretFrom('${env:HOOK}'),
      },
    ]);
  });

  test('is sent if the base did not have it', () => {
    const base = hook('x').replace(', headers: { Authorization: "x" }', '');
    expect(changed(hook('${env:HOOK}'), HOOK, { base })).toMatchObject([
      { path: ['target', 'headers', 'Authorization'], since: 'pending' },
    ]);
  });

  test('is not sent if the base did not declare the object: an adopted object stays as it is', () => {
    const base = 'groups: [{ name: other }]';
    expect(changed(hook('${env:HOOK}'), HOOK, { base })).toEqual([]);
  });

  test('is sent with --rotate', () => {
    const { changes } = planFor(EDR, [EDR_READ], { rotate: ['edr_provider_a/account'] });
    expect(changes.map(({ type, fields }) => [type, fields.map(({ path }) => path)])).toEqual([
      ['update', [['api_token']]],
    ]);
  });

  test('is sent if its fingerprint differs', () => {
    const asked: string[] = [];
    const isOtherSecret: Options['isOtherSecret'] = (address, path, { $secret }) => {
      asked.push([address, ...path, $secret].join(' '));
      return true;
    };
    const found = changed(hook('${env:HOOK}'), HOOK, { isOtherSecret });
    expect(found).toMatchObject([{ path: ['target', 'headers', 'Authorization'] }]);
    expect(asked).toEqual([
      expect.stringMatching(/^notification_channel.* target headers Authorization \$\{env:HOOK\}$/),
    ]);
  });

  test('belongs to somebody else if the files ignore it', () => {
    const files = hook('${env:HOOK}', 'lifecycle: { ignore: [target] }');
    const settings = { base: hook('${env:OLD}'), isOtherSecret: () => true };
    expect(changed(files, HOOK, settings)).toEqual([]);
  });
});

describe('--rotate', () => {
  const faults = (files: string, rotate: string) =>
    planFor(files, [KEY_READ], { rotate: [rotate] }).diagnostics.map(
      ({ code, message, hint }) => `${code} ${message} | ${hint}`,
    );

  test('replaces an object that has its own secret, and deletes the old one last', () => {
    const { changes, actions } = planFor(KEY, [KEY_READ], { rotate: ['setup_key/ci'] });
    expect(changes).toMatchObject([{ type: 'replace', notes: ['a new `key` was requested'] }]);
    expect(actions.map(({ id }) => id)).toEqual(['create setup_key.ci', 'delete setup_key.ci']);
  });

  const SCIM = 'scim_integrations: [{ provider: generic, prefix: staff }]';
  const SCIM_READ: Read = [
    'scim_integration',
    { id: '7', provider: 'generic', prefix: 'staff', group_prefixes: [], auth_token: 'nbs_****' },
  ];
  const INVITE = (more = '') =>
    `user_invites: [{ email: ada@example.com, name: Ada, role: user${more} }]`;
  const INVITE_READ: Read = [
    'user_invite',
    {
      id: 'i1',
      email: 'ada@example.com',
      name: 'Ada',
      role: 'user',
      auto_groups: [],
      expires_at: '2026-03-01T00:00:00Z',
      created_at: '2026-02-01T00:00:00Z',
      expired: false,
    },
  ];

  test('gives an object a new secret if the API has a request for that: the object stays', () => {
    const rotate = ['scim_integration/generic staff'];
    const { changes, actions } = planFor(SCIM, [SCIM_READ], { rotate });
    const renews = { secret: 'auth_token' };
    expect(changes).toMatchObject([
      { type: 'update', fields: [], renews, notes: ['a new `auth_token` was requested'] },
    ]);
    expect(actions).toMatchObject([
      {
        id: 'update scim_integration["generic staff"]',
        verb: 'update',
        remoteId: '7',
        fields: {},
        members: {},
        renews,
        requests: 2,
        hazards: [{ code: 'REVEALS_SECRET', message: expect.stringContaining('renewing scim') }],
      },
    ]);
  });

  test('sends other changes of the object too, before the new secret', () => {
    const files = SCIM.replace('staff', 'staff, group_prefixes: [eng-]');
    const rotate = ['scim_integration/generic staff'];
    const { actions } = planFor(files, [SCIM_READ], { rotate });
    expect(actions).toMatchObject([
      {
        fields: { group_prefixes: ['eng-'] },
        renews: { secret: 'auth_token' },
        requests: 3,
      },
    ]);
  });

  test('sends the declared fields that the request for a new secret has', () => {
    const rotate = ['user_invite/ada@example.com'];
    const sent = (more?: string) => planFor(INVITE(more), [INVITE_READ], { rotate }).actions;
    expect(sent(', expires_in: 86400')).toMatchObject([
      {
        verb: 'update',
        fields: {},
        renews: { secret: 'invite_token', sends: { expires_in: 86400 } },
      },
    ]);
    expect(sent()).toMatchObject([{ renews: { secret: 'invite_token' } }]);
  });

  test('replaces the object if another change of it requires a new object', () => {
    const rotate = ['user_invite/ada@example.com'];
    const files = INVITE(', auto_groups: [x]').concat('\ngroups: [{ name: x }]');
    const { changes } = planFor(files, [INVITE_READ], { rotate });
    expect(changes.map(({ type }) => type)).toEqual(['create', 'replace']);
  });

  test('--rotate also happens when an object is renewed before it expires', () => {
    const files = INVITE(', lifecycle: { renew_before: 14d }');
    const { changes } = planFor(files, [INVITE_READ], { now: Date.parse('2026-02-20') });
    expect(changes).toMatchObject([
      { type: 'update', renews: { secret: 'invite_token' }, notes: [/expires on 2026-03-01/] },
    ]);
  });

  test('--rotate of an undeclared object is an error', () => {
    expect(faults(KEY, 'setup_key/ic')).toEqual([
      'ROTATE_UNKNOWN no file declares `setup_key/ic`, which --rotate names | did you mean `setup_key/ci`?',
    ]);
  });

  test('--rotate of an object without a secret is an error', () => {
    const group = 'groups: [{ name: engineers }]';
    expect(faults(group, 'group/engineers')).toEqual([
      'ROTATE_UNKNOWN `group/engineers` has no secret that can be renewed | name an object that has a secret',
    ]);
  });

  test('--rotate of an object that cannot be replaced is an error', () => {
    const user = 'users: [{ email: ada@example.com, name: Ada, role: user }]';
    expect(faults(user, 'user/ada@example.com')).toEqual([
      expect.stringContaining('has no secret that can be renewed | the API cannot replace a user'),
    ]);
  });
});

describe('an object that shows a secret once', () => {
  const action = (options: Options = {}) => {
    const [first] = planFor(KEY, [], options).actions;
    if (!first) throw new Error('no action');
    return first;
  };
  const isAllowed = ({ hazards }: ReturnType<typeof action>) =>
    hazards.map(({ code, allowed }) => `${code} ${allowed}`);

  test('is a hazard, unless there is a place for it, or its loss is accepted', () => {
    expect(isAllowed(action())).toEqual(['REVEALS_SECRET false']);
    expect(isAllowed(action({ hasSink: true }))).toEqual(['REVEALS_SECRET true']);
    expect(isAllowed(action({ allow: [{ code: 'REVEALS_SECRET' }] }))).toEqual([
      'REVEALS_SECRET true',
    ]);
  });

  test('may be allowed later, for a saved plan', () => {
    const saved = action();
    expect(isAllowed(accepted(saved, { allow: [], hasSink: false }))).toEqual([
      'REVEALS_SECRET false',
    ]);
    expect(isAllowed(accepted(saved, { allow: [], hasSink: true }))).toEqual([
      'REVEALS_SECRET true',
    ]);
    const allow = [{ code: 'REVEALS_SECRET', object: 'setup_key/ci' } as const];
    expect(isAllowed(accepted(saved, { allow, hasSink: false }))).toEqual(['REVEALS_SECRET true']);
  });

  test('stays allowed if it was allowed when it was planned', () => {
    const saved = action({ allow: [{ code: 'REVEALS_SECRET' }] });
    expect(isAllowed(accepted(saved, { allow: [], hasSink: false }))).toEqual([
      'REVEALS_SECRET true',
    ]);
  });
});

test('an unknown secret that an update would have to repeat stops the plan', () => {
  const stream = `
event_streams:
  - platform: generic_http
    config: { url: "https://events.example.com" }
    enabled: false
    lifecycle: { ignore: [config] }
`;
  const live: Read = [
    'event_stream',
    {
      id: '7',
      platform: 'generic_http',
      enabled: true,
      config: { url: 'https://events.example.com', token: '****' },
    },
  ];
  const { diagnostics, actions } = planFor(stream, [live]);
  expect(actions).toEqual([]);
  expect(diagnostics).toMatchObject([
    {
      code: 'SECRET_UNDEFINED',
      severity: 'error',
      message:
        '`config` of event_stream.generic_http contains a secret that the server does not return, so it cannot be written again',
    },
  ]);
});

describe('a secret that every update must hold', () => {
  test('is sent although it belongs to somebody else', () => {
    const files = (interval: number) => `
      edr: { provider_a: { api_url: "https://edr.example.com", api_token: "\${env:T}", match_attributes: { infected: true }, groups: [], last_synced_interval: ${interval}, lifecycle: { ignore: [api_token, api_url] } } }`;
    const read: Read = [
      'edr_provider_a',
      {
        id: 'e1',
        api_url: 'https://other.example.com',
        match_attributes: { infected: true },
        groups: [],
        last_synced_interval: 24,
        enabled: true,
      },
    ];
    expect(planFor(files(24), [read]).changes).toEqual([]);
    const [action] = planFor(files(48), [read]).actions;
    expect(action).toMatchObject({
      fields: { api_token: { $secret: '${env:T}' }, last_synced_interval: 48 },
    });
    expect(action).not.toMatchObject({ fields: { api_url: expect.anything() } });
  });
});
