// What a replacement carries over from the object that it replaces, and when it is refused.
import { describe, expect, test } from 'vitest';
import { missingOrForbidden } from '../../../src/kinds/requirements.ts';
import { present } from '../../../src/model/errors.ts';
import { kindName } from '../../../src/model/names.ts';
import type { JsonObject } from '../../../src/model/value.ts';
import { KINDS } from '../../support/files.ts';
import { declared, group, type Options, planFor, policy, type Read } from '../planning.ts';

const NOW = Date.parse('2026-03-01T00:00:00Z');

const key = (more: JsonObject = {}): Read => [
  'setup_key',
  {
    id: 'k1',
    name: 'k',
    type: 'reusable',
    state: 'valid',
    revoked: false,
    auto_groups: [],
    usage_limit: 5,
    ephemeral: false,
    allow_extra_dns_labels: false,
    expires: '2027-01-01T00:00:00Z',
    used_times: 3,
    last_used: '2026-02-01T00:00:00Z',
    ...more,
  },
];
const keyFile = (more = '') =>
  `setup_keys: [{ name: k, type: reusable, expires_in: 86400${more} }]`;

/** What the new object is made with, and what is wrong with the plan. */
function replaced(...given: Parameters<typeof planFor>) {
  const { actions, diagnostics, changes } = planFor(...given);
  const made = actions.find(({ verb }) => verb === 'create');
  return {
    fields: made?.verb === 'create' ? made.fields : undefined,
    errors: diagnostics.filter(({ severity }) => severity === 'error'),
    notes: changes.flatMap(({ notes }) => notes),
  };
}

const ROTATE: Options = { rotate: ['setup_key/k'], now: NOW };

describe('a replaced key', () => {
  test('is not revoked, and the plan says so', () => {
    const reads = [key({ revoked: true, state: 'revoked' })];
    expect(replaced(keyFile(), reads, ROTATE).fields).toMatchObject({
      usage_limit: 5,
      revoked: false,
    });
    const ignoring = keyFile(', lifecycle: { ignore: [revoked] }');
    const { fields, notes } = replaced(ignoring, reads, ROTATE);
    expect(fields).not.toHaveProperty('revoked');
    expect(notes).toContain('the old object is `revoked`, the new one will not be');
  });

  test('is not revoked because the old key expired', () => {
    const file = keyFile(', lifecycle: { renew_before: 1d }');
    const reads = [key({ revoked: true, state: 'expired', expires: '2026-02-01T00:00:00Z' })];
    expect(replaced(file, reads, { now: NOW }).fields).toMatchObject({ revoked: false });
  });

  test('is revoked if the files say so', () => {
    const { fields } = replaced(keyFile(', revoked: true'), [key({ revoked: true })], ROTATE);
    expect(fields).toMatchObject({ revoked: true });
  });

  test('has no value that only the server sets', () => {
    const { fields = {} } = replaced(keyFile(), [key()], ROTATE);
    const { shape } = present(KINDS.get(kindName('setup_key')), 'setup keys');
    expect(Object.keys(fields).filter(name => shape.fields.get(name)?.readOnly)).toEqual([]);
  });

  test('has no limit if its new type has none', () => {
    const file = 'setup_keys: [{ name: k, type: one-off, expires_in: 86400 }]';
    expect(replaced(file, [key()]).fields).not.toHaveProperty('usage_limit');
  });

  test('is refused without its lifetime, which no account returns', () => {
    const ignoring = keyFile(', lifecycle: { ignore: [expires_in] }');
    expect(replaced(ignoring, [key()], ROTATE)).toMatchObject({
      fields: undefined,
      errors: [
        {
          code: 'REPLACE_INCOMPLETE',
          message:
            'setup_key.k must be replaced, and the new setup key would lack `expires_in`, which the API requires',
          hint: 'the account has no value to carry over: remove `expires_in` from lifecycle.ignore',
        },
      ],
    });
  });
});

describe('an identity provider of another type', () => {
  const provider = (type: string, issuer: string): Read => [
    'identity_provider',
    { id: 'i1', type, name: 'staff', issuer, client_id: 'c' },
  ];
  const file = (type: string, more = '') =>
    `identity_providers: [{ name: staff, type: ${type}, client_id: c, client_secret: "\${env:S}"${more} }]`;
  const ISSUER = ', issuer: "https://login.example.com"';

  test('has no issuer if its new type has its own', () => {
    const reads = [provider('oidc', 'https://login.example.com')];
    const { fields, errors } = replaced(file('google'), reads);
    expect(errors).toEqual([]);
    expect(fields).not.toHaveProperty('issuer');
  });

  test('is refused without an issuer that its new type requires', () => {
    const ignoring = file('oidc', `${ISSUER}, lifecycle: { ignore: [issuer] }`);
    expect(replaced(ignoring, [provider('google', '')]).errors).toMatchObject([
      { code: 'REPLACE_INCOMPLETE' },
    ]);
  });

  test('keeps an issuer that somebody else has set', () => {
    const ignoring = file('okta', `${ISSUER}, lifecycle: { ignore: [issuer] }`);
    const reads = [provider('oidc', 'https://other.example.com')];
    expect(replaced(ignoring, reads)).toMatchObject({
      errors: [],
      fields: { issuer: 'https://other.example.com' },
    });
  });
});

test('a value with a secret that cannot be read is not carried over', () => {
  const stream: Read = [
    'event_stream',
    {
      id: '1',
      platform: 'datadog',
      enabled: true,
      config: { api_key: '****', url: 'https://a.example' },
    },
  ];
  const moved = declared('event_stream', 'datadog', {
    fields: { platform: 's3', config: { url: 'https://b.example' } },
    lifecycle: { id: '1', ignore: ['config'] },
  });
  expect(replaced([moved], [stream]).errors).toMatchObject([
    { code: 'REPLACE_INCOMPLETE', message: expect.stringContaining('`config`') },
  ]);
});

test('an object that the server keeps for another object is not replaced', () => {
  const reads: Read[] = [
    ['peer', { id: 'p1', name: 'ada' }],
    ['peer', { id: 'p2', name: 'bob' }],
    ['ingress_peer', { id: 'i1', peer_id: 'p1', enabled: true, fallback: true }],
    [
      'ingress_port_allocation',
      { id: 'a1', name: 'voice', enabled: true, ingress_peer_id: 'i1', port_range_mappings: [] },
      'p2',
    ],
  ];
  const file = 'ingress_peers: [{ peer_id: bob, fallback: true, lifecycle: { id: i1 } }]';
  expect(replaced(file, reads).errors).toMatchObject([
    {
      code: 'OBJECT_POINTED_AT',
      message:
        'ingress_peer.bob must be replaced, but the server does not delete it while ingress_port_allocation.bob/voice uses it',
    },
  ]);
  expect(replaced(file, reads.slice(0, 3)).errors).toEqual([]);
});

describe('the required fields of a kind', () => {
  const kind = (name: string) => present(KINDS.get(kindName(name)), name);

  test('depend on its other fields', () => {
    const provider = kind('identity_provider');
    const fields = { name: 'a', client_id: 'c', client_secret: { $secret: 's' } };
    expect(missingOrForbidden(provider, { ...fields, type: 'oidc' })).toEqual({
      missing: ['issuer'],
      forbidden: [],
    });
    expect(missingOrForbidden(provider, { ...fields, type: 'google', issuer: 'x' })).toEqual({
      missing: [],
      forbidden: ['issuer'],
    });
  });

  test('are reported as whole fields: keys and secrets in them count as present', () => {
    const allocation = kind('ingress_port_allocation');
    expect(missingOrForbidden(allocation, { name: 'a' }).missing).toEqual([
      'port_ranges',
      'direct_port',
    ]);
    expect(missingOrForbidden(allocation, { name: 'a', direct_port: {} })).toEqual({
      missing: [],
      forbidden: [],
    });
  });
});

test('a rule that must be removed replaces the policy, if the server never removes rules', () => {
  const [kind, body] = policy('p1', 'p', ['g1'], ['g1']);
  const rules = body.rules as object[];
  const two = [
    kind,
    { ...body, rules: [...rules, { ...rules[0], id: 'p1-2', name: 'more' }] },
  ] as const;
  const files =
    'policies: [{ name: p, rules: [{ name: all, protocol: all, sources: [a], destinations: [a] }] }]';
  const types = (dialect: 'spec' | 'netbird') =>
    planFor(files, [group('g1', 'a'), two as never], { dialect }).changes.map(({ type }) => type);
  expect([types('spec'), types('netbird')]).toEqual([['update'], ['replace']]);
});
