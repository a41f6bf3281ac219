// Who calls the API: the branch a run sits on, and the last one who can let others in.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { endedAt } from '../../../src/source/endings/endedAt.ts';
import { desiredOf, KINDS } from '../../support/files.ts';
import { type Options, planFor, type Read } from '../planning.ts';

const person = (id: string, role: string, more: JsonObject = {}): Read => [
  'user',
  {
    id,
    email: `${id}@example.com`,
    name: id,
    role,
    auto_groups: [],
    is_blocked: false,
    is_current: false,
    is_service_user: false,
    issued: 'api',
    ...more,
  },
];
const machine = (id: string, role: string, more: JsonObject = {}): Read => [
  'service_user',
  {
    id,
    email: '',
    name: id,
    role,
    auto_groups: [],
    is_blocked: false,
    is_current: false,
    is_service_user: true,
    issued: 'api',
    ...more,
  },
];
const token = (id: string, parentId: string): Read => [
  'token',
  {
    id,
    name: id,
    created_at: '2026-01-01T00:00:00Z',
    expiration_date: '2026-04-01T00:00:00Z',
  },
  parentId,
];
const OWN = { is_current: true };

const declared = (id: string, role: string, more = '') =>
  `{ email: ${id}@example.com, name: ${id}, role: ${role}${more} }`;

/** `code key` of every hazard, with `!` where nobody allowed it, deletes and replacements aside. */
function hazards(
  files: Parameters<typeof planFor>[0],
  reads: readonly Read[],
  options: Options = {},
) {
  const { actions, diagnostics } = planFor(files, reads, options);
  expect(diagnostics).toEqual([]);
  return actions.flatMap(({ key, hazards: found }) =>
    found
      .filter(({ code }) => !/^(DELETES|REPLACES)_OBJECT$|^REVEALS/.test(code))
      .map(({ code, allowed }) => `${allowed ? '' : '!'}${code} ${key}`),
  );
}

describe('the user of this token', () => {
  const reads = [machine('ci', 'admin', OWN), machine('other', 'admin'), person('ada', 'admin')];
  const own = (more: string) => `service_users: [{ name: ci, ${more} }]`;

  test.each([
    ['gets another role', own('role: auditor')],
    ['is blocked', own('role: admin, is_blocked: true')],
  ])('%s only with its own --allow code', (_, files) => {
    expect(hazards(files, reads)).toEqual(['!CUTS_OWN_ACCESS ci']);
    const allow = [{ code: 'CUTS_OWN_ACCESS', object: 'service_user/ci' }] as const;
    expect(hazards(files, reads, { allow })).toEqual(['CUTS_OWN_ACCESS ci']);
  });

  test('may be changed in other ways, and other users in any way', () => {
    expect(hazards(own('role: admin, auto_groups: []'), reads)).toEqual([]);
    expect(hazards('service_users: [{ name: other, role: auditor }]', reads)).toEqual([]);
  });

  test('is never deleted for being undeclared', () => {
    const plan = planFor('service_users: [{ name: new, role: user }]', reads, {
      prune: 'unmanaged',
    });
    expect(plan.changes.map(({ type, key }) => `${type} ${key}`)).toEqual([
      'create new',
      'delete other',
    ]);
    expect(plan.leftAlone).toMatchObject([
      { key: 'ci', reason: 'reserved', because: 'the user of this token' },
    ]);
  });

  test('is not deleted by name either', () => {
    const files = own('role: admin, lifecycle: { delete: true }');
    expect(planFor(files, reads).diagnostics).toMatchObject([
      {
        code: 'PROTECTED',
        message: 'service_user.ci is the user of this token and would be deleted',
      },
    ]);
  });
});

describe('a token of that user', () => {
  const reads = [
    machine('ci', 'admin', OWN),
    machine('other', 'admin'),
    token('t1', 'ci'),
    token('t2', 'other'),
  ];

  test('is deleted only with a separate --allow code; tokens of other users need no code', () => {
    const files =
      'service_users: [{ name: ci, role: admin, tokens: [{ name: fresh, expires_in: 90 }] }, { name: other, role: admin }]';
    expect(hazards(files, reads, { prune: 'unmanaged', thresholds: { default: {} } })).toEqual([
      '!CUTS_OWN_ACCESS ci/t1',
    ]);
  });

  test('needs that code also when it is deleted at its expiry', () => {
    const ending = (name: string) =>
      `{ name: ${name}, expires_in: 90, lifecycle: { until: 2026-01-31 } }`;
    const files = `service_users: [{ name: ci, role: admin, tokens: [${ending('t1')}] }, { name: other, role: admin, tokens: [${ending('t2')}] }]`;
    const { desired } = endedAt(desiredOf(files), KINDS, Date.parse('2026-02-01T00:00:00Z'));
    expect(hazards(desired, reads)).toEqual(['!CUTS_OWN_ACCESS ci/t1']);
    const { actions } = planFor(desired, reads);
    expect(actions.map(({ verb, key }) => `${verb} ${key}`).sort()).toEqual([
      'delete ci/t1',
      'delete other/t2',
    ]);
  });
});

describe('the last admin', () => {
  const owner = person('owner', 'owner', OWN);
  const reads = [owner, person('ada', 'admin')];

  test.each([
    ['gets another role', declared('ada', 'user')],
    ['is blocked', declared('ada', 'admin', ', is_blocked: true')],
    ['goes', declared('ada', 'admin', ', lifecycle: { delete: true }')],
  ])('%s only with its own --allow code', (_, user) => {
    expect(hazards(`users: [${user}]`, reads)).toEqual(['!REMOVES_LAST_ADMIN ada@example.com']);
    const allow = [{ code: 'REMOVES_LAST_ADMIN' }] as const;
    expect(hazards(`users: [${user}]`, reads, { allow })).toEqual([
      'REMOVES_LAST_ADMIN ada@example.com',
    ]);
  });

  test('includes two admins that are removed together', () => {
    const files = `users: [${declared('ada', 'user')}, ${declared('bob', 'user')}]`;
    expect(hazards(files, [...reads, person('bob', 'admin')])).toEqual([
      '!REMOVES_LAST_ADMIN ada@example.com',
      '!REMOVES_LAST_ADMIN bob@example.com',
    ]);
  });

  test('is not affected if another admin who can sign in stays', () => {
    const files = `users: [${declared('ada', 'user')}]`;
    expect(hazards(files, [...reads, person('bob', 'admin')])).toEqual([]);
    const promoted = `users: [${declared('ada', 'user')}, ${declared('bob', 'admin')}]`;
    expect(hazards(promoted, [...reads, person('bob', 'user')])).toEqual([]);
    const blocked = person('bob', 'admin', { is_blocked: true });
    expect(hazards(files, [...reads, blocked])).toEqual(['!REMOVES_LAST_ADMIN ada@example.com']);
  });

  test('may change in any other way', () => {
    const files = `{ groups: [{ name: a }], users: [${declared('ada', 'admin', ', auto_groups: [a]')}] }`;
    expect(hazards(files, reads)).toEqual([]);
  });
});
