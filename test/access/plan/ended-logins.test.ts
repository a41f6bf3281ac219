// Machines whose login has expired reach nothing and are reached by nobody. A user renews a login without a plan, unless the user
// is blocked: so a plan that blocks a user takes access, and a plan that unblocks one gives it.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { comparison } from '../../../src/access/plan/comparison.ts';
import { accessNotes } from '../../../src/access/plan/notes.ts';
import { planAccess } from '../../../src/access/plan/planAccess.ts';
import { reachRows } from '../../../src/access/reachRows.ts';
import { orderJudge } from '../../../src/access/replay/judgedOrder.ts';
import { planStates } from '../../../src/access/replay/planStates.ts';
import { ACCESS_KINDS } from '../../../src/access/state/stateOfLive.ts';
import { fetchAccount } from '../../../src/api/account/fetch.ts';
import { readTransport } from '../../../src/api/transport/transport.ts';
import type { Json } from '../../../src/model/value.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { desiredOf, KINDS } from '../../support/files.ts';
import { type GateOptions, gatesFor, isRefused } from '../../support/gates.ts';
import { plan } from '../../support/reconcile.ts';

vi.setConfig({ testTimeout: 60_000 });

const rule = (sources: string, destinations: string, port: string) => ({
  name: 'r',
  enabled: true,
  action: 'accept',
  bidirectional: false,
  protocol: 'tcp',
  ports: [port],
  sources: [sources],
  destinations: [destinations],
});

const BEFORE = {
  '/emulator/users': [{ id: 'bob', name: 'Bob', email: 'bob@example.com' }],
  '/emulator/peers': [
    { id: 'p1', name: 'ann1' },
    { id: 'p2', name: 'bob1', user_id: 'bob' },
    { id: 'p4', name: 'db1' },
  ],
  '/api/groups': [
    { id: 'db', name: 'db', peers: ['p4'] },
    { id: 'laptops', name: 'laptops', peers: ['p1', 'p2'] },
  ],
  '/api/policies': [
    { id: 'to-db', name: 'to-db', enabled: true, rules: [rule('laptops', 'db', '22')] },
    { id: 'from-db', name: 'from-db', enabled: true, rules: [rule('db', 'laptops', '9100')] },
  ],
};

async function begun(): Promise<TestAccount> {
  const account = await startAccount();
  onTestFinished(() => account.close());
  await account.control('POST', '/emulator/load', BEFORE as unknown as Json);
  for (const policy of [await account.call('GET', '/api/policies')].flat() as {
    name: string;
    id: string;
  }[])
    if (policy.name === 'Default') await account.call('DELETE', `/api/policies/${policy.id}`);
  return account;
}

const blocked = (isBlocked: boolean) => ({ role: 'user', auto_groups: [], is_blocked: isBlocked });
const bob = (isBlocked: boolean) =>
  `users: [{ email: bob@example.com, name: Bob, role: user, is_blocked: ${isBlocked} }]\n`;
const POLICY = `policies:
  - name: to-db
    rules: [{ name: r, sources: [laptops], destinations: [db], protocol: tcp, ports: ["443"] }]
`;

async function liveObjects(account: TestAccount) {
  const kinds = new Set([...KINDS.keys()].filter(name => ACCESS_KINDS.has(name)));
  const parents = new Map([...kinds].map(name => [name, 'all' as const]));
  const transport = readTransport(account.transport);
  return (await fetchAccount(transport, KINDS, { kinds, parents }, { concurrency: 4 })).objects;
}

async function planned(account: TestAccount, files: string, gates: GateOptions = {}) {
  const live = await liveObjects(account);
  const made = await plan(account, desiredOf(files), { access: gatesFor(gates, [], []) });
  const replayed = { kinds: KINDS, live, unavailable: new Map(), plan: made };
  return { made, replayed, access: planAccess(made, comparison(replayed)) };
}

const linesOf = ({ changes }: { readonly changes: ReturnType<typeof planAccess>['changes'] }) =>
  changes.map(({ change, from, to, causes }) => [change, from, to, ...causes]);

describe('the access diff of a plan', () => {
  test('counts what the machines of a blocked user lose, in both directions', async () => {
    const { access } = await planned(await begun(), bob(true));
    expect(linesOf(access)).toEqual([
      ['lost', 'group/db', 'peer/bob1', 'user.bob@example.com'],
      ['lost', 'peer/bob1', 'group/db', 'user.bob@example.com'],
    ]);
    expect([access.pairs, access.without_effect]).toEqual([{ gained: 0, lost: 2 }, 0]);
    expect(accessNotes(access).map(({ code }) => code)).toEqual(['ACCESS_LOST']);
  });

  test('counts what the machines of a user who is no longer blocked gain', async () => {
    const account = await begun();
    await account.call('PUT', '/api/users/bob', blocked(true));
    const { access } = await planned(account, bob(false));
    expect(linesOf(access).filter(([, ...sides]) => sides.includes('peer/bob1'))).toEqual([
      ['gained', 'group/db', 'peer/bob1', 'user.bob@example.com'],
      ['gained', 'peer/bob1', 'group/db', 'user.bob@example.com'],
    ]);
    expect(access.pairs).toEqual({ gained: 2, lost: 0 });
  });

  test('counts a machine whose user may log in again, and not one whose user is blocked', async () => {
    const account = await begun();
    // Whoever is no longer blocked has yet to log in.
    for (const isBlocked of [true, false])
      await account.call('PUT', '/api/users/bob', blocked(isBlocked));
    expect((await planned(account, POLICY)).access.pairs).toEqual({ gained: 2, lost: 2 });
    await account.call('PUT', '/api/users/bob', blocked(true));
    expect((await planned(account, POLICY)).access.pairs).toEqual({ gained: 1, lost: 1 });
  });

  test('names a group whose other machines are logged in', async () => {
    const account = await begun();
    await account.call('PUT', '/api/users/bob', blocked(true));
    const { access } = await planned(account, POLICY);
    expect(access.changes.map(({ from, machines }) => [from, machines])).toEqual([
      ['group/laptops', ['ann1']],
    ]);
  });

  test('is refused by thresholds and guards', async () => {
    const account = await begun();
    const isRefusedBy = async (files: string, gates: GateOptions) =>
      isRefused((await planned(account, files, gates)).made.gates);
    expect(await isRefusedBy(bob(true), { thresholds: { lost: 1 } })).toBe(true);
    expect(await isRefusedBy(bob(true), { thresholds: { lost: 2 } })).toBe(false);
    await account.call('PUT', '/api/users/bob', blocked(true));
    expect(await isRefusedBy(bob(false), { thresholds: { gained: 1 } })).toBe(true);
    expect(await isRefusedBy(bob(false), { guarded: [{ to: 'group/db' }] })).toBe(true);
    expect(await isRefusedBy(bob(true), { guarded: [{ to: 'group/db' }] })).toBe(false);
  });
});

test('each step of a plan has the access of the account at that time', async () => {
  const { replayed, made } = await planned(await begun(), `${bob(true)}${POLICY}`);
  const { states } = planStates(replayed, made.actions);
  const rowsOfBob = states.map(state =>
    [...reachRows(state)].filter(([from, to]) => [from, to].includes('p2')).map(([from]) => from),
  );
  const isBlocked = made.actions.findIndex(({ kind }) => kind === 'user') + 1;
  expect(rowsOfBob.map(rows => rows.length)).toEqual(
    states.map((_, at) => (at < isBlocked ? 2 : 0)),
  );
  expect(
    orderJudge(replayed, planStates(replayed, made.actions)).judged(made.actions).episodes,
  ).toEqual([]);
});
