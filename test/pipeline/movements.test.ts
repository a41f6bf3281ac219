// What an update of a person does by itself to the machines that they enrolled: it is in the plan, and one apply is enough.
import { describe, expect, onTestFinished, test } from 'vitest';
import { planFault } from '../../src/engine/plan/planFault.ts';
import type { Json } from '../../src/model/value.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { desiredOf, KINDS } from '../support/files.ts';
import { apply, plan } from '../support/reconcile.ts';
import { SERVERS, type Server, SPECIFIED } from '../support/servers/servers.ts';

const BEFORE = {
  '/emulator/users': [{ id: 'ada', name: 'Ada', email: 'ada@example.com' }],
  '/emulator/peers': [
    { id: 'laptop-id', name: 'laptop', user_id: 'ada' },
    { id: 'phone-id', name: 'phone', user_id: 'ada' },
    { id: 'server-id', name: 'server' },
  ],
  '/api/groups': [
    { id: 'g', name: 'old', peers: ['laptop-id', 'phone-id', 'server-id'] },
    { id: 'h', name: 'new', peers: ['server-id'] },
  ],
};

const ADA = 'users:\n  - { email: ada@example.com, name: Ada, role: user';

/** Groups as files declare them besides `auto_groups: [new]`, which were `[old]`. */
const CASES = [
  ['declares who leaves', 'groups:\n  - { name: old, peers: [laptop] }\n'],
  ['declares who joins', 'groups:\n  - { name: new, peers: [phone] }\n'],
  [
    'owns both sets whole',
    'groups:\n  - { name: old, peers: [laptop, server], lifecycle: { exact: [peers] } }\n  - { name: new, peers: [phone], lifecycle: { exact: [peers] } }\n',
  ],
  ['owns an empty set', 'groups:\n  - { name: new, peers: [], lifecycle: { exact: [peers] } }\n'],
  [
    'renames the group that grows',
    'groups:\n  - { name: newer, peers: [laptop], lifecycle: { was: new } }\n',
  ],
  ['speaks of no group', ''],
  [
    'makes the group and owns it whole',
    'groups:\n  - { name: fresh, peers: [server], lifecycle: { exact: [peers] } }\n',
  ],
  [
    'makes the group, empty, and owns it whole',
    'groups:\n  - { name: fresh, peers: [], lifecycle: { exact: [peers] } }\n',
  ],
  ['makes the group, and shares it', 'groups:\n  - { name: fresh, peers: [server] }\n'],
] as const;

async function begun(server: Server, propagation: boolean): Promise<TestAccount> {
  const account = await startAccount(server);
  onTestFinished(() => account.close());
  await account.control('POST', '/emulator/load', BEFORE as unknown as Json);
  await account.control('PUT', '/emulator/settings', { group_propagation: true });
  const old = { role: 'user', auto_groups: ['g'], is_blocked: false };
  await account.call('PUT', '/api/users/ada', old);
  await account.control('PUT', '/emulator/settings', { group_propagation: propagation });
  return account;
}

describe.each(
  SERVERS.flatMap(server => [true, false].map(propagation => ({ ...server, propagation }))),
)('$dialect, $edition, group propagation $propagation', ({ propagation, ...server }) => {
  test.each(CASES)('one apply suffices if a file %s', async (_, groups) => {
    const account = await begun(server, propagation);
    const target = ['newer', 'fresh'].find(name => groups.includes(name)) ?? 'new';
    const desired = desiredOf(`${ADA}, auto_groups: [${target}] }\n${groups}`);
    const settings = { concurrency: 8 };
    const made = await plan(account, desired, settings);
    expect(made.diagnostics).toEqual([]);
    const { outcomes } = await apply(account, made, settings);
    expect(outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
    expect((await plan(account, desired, settings)).changes).toEqual([]);
  });
});

test('the plan says which machines move, and the user comes before the group', async () => {
  const account = await begun(SPECIFIED, true);
  const made = await plan(account, desiredOf(`${ADA}, auto_groups: [new] }\n${CASES[0][1]}`));
  const notes = Object.fromEntries(made.changes.map(({ address, notes: own }) => [address, own]));
  expect(notes['user.ada@example.com']?.join()).toMatch(/moves laptop, phone out of group\.old/);
  expect(notes['user.ada@example.com']?.join()).toMatch(/moves laptop, phone into group\.new/);
  expect(notes['group.old']?.join()).toMatch(/user\.ada@example\.com comes first/);
  expect(made.actions.map(({ id }) => String(id))).toEqual([
    'update user.ada@example.com',
    'update group.old',
  ]);
});

test('the plan says which machines move into a group that it creates, and that they do not stay', async () => {
  const account = await begun(SPECIFIED, true);
  const files =
    'groups:\n  - { name: fresh, peers: [server, laptop], lifecycle: { exact: [peers] } }\n';
  const made = await plan(account, desiredOf(`${ADA}, auto_groups: [old, fresh] }\n${files}`));
  const notes = Object.fromEntries(made.changes.map(({ address, notes: own }) => [address, own]));
  expect(notes['group.fresh']?.filter(note => !note.startsWith('renamed?'))).toEqual([]);
  expect(notes['user.ada@example.com']).toEqual([
    'the server moves phone into group.fresh, unless the account disables that; the run removes them again',
  ]);
  const { outcomes } = await apply(account, made);
  expect(outcomes.flatMap(one => (one.status === 'done' ? one.notes : []))).toEqual([
    'what it moved into group.fresh was removed again',
  ]);
  const saved = (members: readonly string[]) => ({
    ...made,
    actions: made.actions.map(action =>
      action.verb === 'update'
        ? { ...action, restores: action.restores?.map(set => ({ ...set, members })) ?? [] }
        : action,
    ),
  });
  expect(planFault(saved(['laptop', 'server']), KINDS)).toBeNull();
  expect(planFault(saved(['phone']), KINDS)).toContain('differs from what it does');
});

test('the plan says whose logins end because of a block', async () => {
  const account = await begun({ dialect: 'netbird', edition: 'self-hosted' }, true);
  const files = `${ADA}, auto_groups: [old], is_blocked: true }\n`;
  const made = await plan(account, desiredOf(files), { dialect: 'netbird' });
  expect(made.changes.flatMap(({ notes }) => notes)).toEqual(['the logins of laptop, phone end']);
});
