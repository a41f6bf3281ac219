// What a create expects of the account: no object of its identity, except objects that the plan saw.
import { expect, test } from 'vitest';
import { group, planFor, type Read } from '../planning.ts';

const NEW_GROUP = 'groups: [{ name: new }]\n';
const ALLOW = ['REPLACES_OBJECT', 'GAP', 'REVEALS_SECRET'] as const;

const KEY: Read = [
  'setup_key',
  {
    id: 'k1',
    name: 'ci',
    type: 'reusable',
    usage_limit: 0,
    auto_groups: ['g1'],
    ephemeral: false,
    allow_extra_dns_labels: false,
    revoked: false,
    state: 'valid',
    expires: '2030-01-01T00:00:00Z',
  },
];
const INVITE: Read = [
  'user_invite',
  {
    id: 'i1',
    email: 'ops@example.com',
    name: 'Ops',
    role: 'user',
    auto_groups: ['g1'],
    created_at: '2026-01-02T03:04:05Z',
    expires_at: '2030-01-01T00:00:00Z',
    expired: false,
  },
];

test.each([
  [
    'a setup key',
    KEY,
    'setup_keys: [{ name: ci, type: one-off, expires_in: 99999, auto_groups: [new] }]\n',
    'k1',
  ],
  [
    'an invite',
    INVITE,
    'user_invites: [{ email: ops@example.com, name: Ops, role: admin, auto_groups: [new] }]\n',
    'i1',
  ],
])('the expected old object of %s refers to a new group', (_, live, text, id) => {
  const { actions } = planFor(`${NEW_GROUP}${text}`, [group('g1', 'old'), live], {
    allow: ALLOW.map(code => ({ code })),
  });
  const create = actions.find(({ verb, kind }) => verb === 'create' && kind === live[0]);
  expect(create?.precondition).toEqual({ type: 'absent', except: [id] });
});
