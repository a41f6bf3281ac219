// Access that the server gives and takes by moving machines along with their user: it is in the access diff of the plan, with the
// user as its cause.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { accountAfter } from '../../../src/access/plan/accountAfter.ts';
import { comparison } from '../../../src/access/plan/comparison.ts';
import { accessNotes } from '../../../src/access/plan/notes.ts';
import { planAccess } from '../../../src/access/plan/planAccess.ts';
import { stateOf } from '../../../src/access/state/stateOf.ts';
import { ACCESS_KINDS, stateOfLive } from '../../../src/access/state/stateOfLive.ts';
import { fetchAccount } from '../../../src/api/account/fetch.ts';
import { readTransport } from '../../../src/api/transport/transport.ts';
import type { Json } from '../../../src/model/value.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { desiredOf, KINDS } from '../../support/files.ts';
import { apply, plan } from '../../support/reconcile.ts';
import { SERVERS, type Server, SPECIFIED } from '../../support/servers/servers.ts';
import { flowsWithoutIds } from './flowsWithoutIds.ts';

vi.setConfig({ testTimeout: 60_000 });

const BEFORE = {
  '/emulator/users': [{ id: 'bob', name: 'Bob', email: 'bob@example.com' }],
  '/emulator/peers': [
    { id: 'p1', name: 'ann1' },
    { id: 'p2', name: 'bob1', user_id: 'bob' },
    { id: 'p3', name: 'bob2', user_id: 'bob' },
    { id: 'p4', name: 'db1' },
  ],
  '/api/groups': [
    { id: 'db', name: 'db', peers: ['p4'] },
    { id: 'old', name: 'old', peers: ['p1', 'p2', 'p3'] },
    { id: 'new', name: 'new', peers: ['p1'] },
  ],
  '/api/policies': ['old', 'new'].map(name => ({
    id: `to-${name}`,
    name: `to-${name}`,
    enabled: true,
    rules: [
      {
        name: 'r',
        enabled: true,
        action: 'accept',
        bidirectional: false,
        protocol: 'tcp',
        ports: [name === 'old' ? '22' : '443'],
        sources: [name],
        destinations: ['db'],
      },
    ],
  })),
};

const bob = (rest: string, ...groups: readonly string[]) =>
  `users:\n  - { email: bob@example.com, name: Bob, role: user, auto_groups: [${groups.join()}]${rest} }\n`;
const FRESH = `policies:
  - name: to-fresh
    rules: [{ name: r, sources: [fresh], destinations: [db], protocol: udp, ports: ["53"] }]
`;

async function begun(server: Server): Promise<TestAccount> {
  const account = await startAccount(server);
  onTestFinished(() => account.close());
  await account.control('POST', '/emulator/load', BEFORE as unknown as Json);
  for (const policy of [await account.call('GET', '/api/policies')].flat() as {
    name: string;
    id: string;
  }[])
    if (policy.name === 'Default') await account.call('DELETE', `/api/policies/${policy.id}`);
  const old = { role: 'user', auto_groups: ['old'], is_blocked: false };
  await account.call('PUT', '/api/users/bob', old);
  return account;
}

async function liveObjects(account: TestAccount) {
  const kinds = new Set([...KINDS.keys()].filter(name => ACCESS_KINDS.has(name)));
  const parents = new Map([...kinds].map(name => [name, 'all' as const]));
  const transport = readTransport(account.transport);
  return (await fetchAccount(transport, KINDS, { kinds, parents }, { concurrency: 4 })).objects;
}

const CASES: readonly (readonly [name: string, files: string])[] = [
  ['a user who leaves a group', bob('')],
  ['a user who joins a group', bob('', 'old', 'new')],
  ['a user who joins a group that grants other ports', bob('', 'new')],
  [
    'a user who joins a group that the plan creates',
    `groups: [{ name: fresh, peers: [ann1] }]\n${bob('', 'old', 'fresh')}${FRESH}`,
  ],
  [
    'a user who joins a group that the plan creates and owns whole',
    `groups: [{ name: fresh, peers: [ann1], lifecycle: { exact: [peers] } }]\n${bob('', 'fresh')}${FRESH}`,
  ],
  [
    'a user who leaves a group that declares a machine of theirs',
    `groups: [{ name: old, peers: [bob1] }]\n${bob('')}`,
  ],
  [
    'a user who joins a group that is owned whole',
    `groups: [{ name: new, peers: [ann1], lifecycle: { exact: [peers] } }]\n${bob('', 'old', 'new')}`,
  ],
  [
    'a user who joins a group that is renamed',
    `groups: [{ name: newer, lifecycle: { was: new } }]\n${bob('', 'old', 'newer')}`,
  ],
  ['a user who is blocked and leaves', bob(', is_blocked: true')],
];

describe.each(SERVERS)('$dialect, $edition', server => {
  test.each(CASES)('%s', async (_, files) => {
    const account = await begun(server);
    const before = await liveObjects(account);
    const made = await plan(account, desiredOf(files));
    expect(made.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    const predicted = flowsWithoutIds(stateOf(accountAfter(KINDS, before, made).objects));
    await apply(account, made);
    expect(predicted).toEqual(flowsWithoutIds(stateOfLive(await liveObjects(account), new Map())));
  });
});

const accessOf = async (files: string) => {
  const account = await begun(SPECIFIED);
  const live = await liveObjects(account);
  const made = await plan(account, desiredOf(files));
  return planAccess(made, comparison({ kinds: KINDS, live, unavailable: new Map(), plan: made }));
};

describe('the access diff of a plan', () => {
  test('counts what a user loses with a group, and names the user as the cause', async () => {
    const { pairs, machines, changes, without_effect } = await accessOf(bob(''));
    expect([pairs, machines, without_effect]).toEqual([{ gained: 0, lost: 2 }, 2, 0]);
    expect(changes.map(({ change, causes }) => [change, causes])).toEqual([
      ['lost', ['user.bob@example.com']],
    ]);
  });

  test('says that the plan widens and narrows access', async () => {
    const only = await accessOf(bob('', 'old', 'new'));
    expect(accessNotes(only).map(({ code }) => code)).toEqual(['ACCESS_GAINED']);
    const gone = await accessOf(bob(''));
    expect(accessNotes(gone).map(({ code }) => code)).toEqual(['ACCESS_LOST']);
  });

  test('counts the members that a new group gets', async () => {
    const { pairs, changes } = await accessOf(
      `groups: [{ name: fresh, peers: [db1] }]\n${bob('', 'fresh')}${FRESH.replace('[db]', '[new]')}`,
    );
    expect(pairs).toEqual({ gained: 3, lost: 2 });
    expect(changes.flatMap(({ causes }) => causes)).toContain('user.bob@example.com');
  });
});
