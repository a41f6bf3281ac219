// A saved plan is applied only with the access that it showed: somebody may have taken away since what allowed the same.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { someOf } from '../../support/variations.ts';
import {
  BEFORE,
  CLOSED,
  GROUPS,
  idOf,
  listOf,
  NARROWED,
  NETWORKS,
  started,
  WIDENED,
} from './gatedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount();
});
afterEach(() => account.close());

const rule = (name: string, port: number) =>
  `  - name: ${name}\n    rules: [{ name: r, sources: [engineers], destinations: [bastions], protocol: tcp, ports: ["${port}"] }]\n`;
const OPEN = `${GROUPS}policies:\n${rule('ssh', 22)}`;
const MORE = `${OPEN}${rule('extra', 3389)}`;

async function disable(name: string): Promise<void> {
  const found = (await listOf(account, 'policies')).find(one => one.name === name);
  const rules = (found?.rules ?? []) as readonly {
    readonly sources: readonly { readonly id: string }[];
    readonly destinations: readonly { readonly id: string }[];
  }[];
  const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);
  await account.call('PUT', `/api/policies/${found?.id}`, {
    name,
    enabled: false,
    rules: rules.map(one => ({
      ...one,
      sources: ids(one.sources),
      destinations: ids(one.destinations),
    })),
  } as never);
}

test('a plan that would now give access that it did not show is stale, and writes nothing', () =>
  started(
    account,
    async ({ want, run }) => {
      await want(MORE);
      const planned = await run('plan', '--out', 'plan.json');
      expect([planned.code, planned.stdout]).toEqual([
        0,
        expect.stringContaining('Access: unchanged'),
      ]);
      expect((await run('plan', 'check', 'plan.json')).code).toBe(0);
      await disable('Default');
      const says = 'group/engineers → group/bastions  tcp/3389';
      for (const words of [
        ['plan', 'check', 'plan.json'],
        ['apply', 'plan.json', '--yes'],
      ]) {
        const { code, stderr } = await run(...words);
        expect([code, stderr]).toEqual([5, expect.stringContaining(says)]);
        expect(stderr).toContain('PLAN_STALE');
      }
      expect((await listOf(account, 'policies')).map(({ name }) => name)).not.toContain('extra');
      expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
      expect((await run('apply', 'plan.json', '--yes')).code).toBe(0);
    },
    OPEN,
  ));

test('a plan that gives exactly the access that it showed is applied, even if the account has more machines', () =>
  started(account, async ({ want, run }) => {
    await want(WIDENED);
    expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
    const engineers = (await listOf(account, 'groups')).find(({ name }) => name === 'engineers');
    await account.enrol('new', [String(engineers?.id)]);
    expect((await run('apply', 'plan.json', '--yes')).code).toBe(0);
  }));

test('a plan that gives no access is applied, although somebody removed access meanwhile', () =>
  started(
    account,
    async ({ want, run }) => {
      await want(`${BEFORE.replace('"22", "443"', '"22"')}${rule('extra', 3389)}`);
      expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
      await disable('extra');
      const { code, stderr } = await run('apply', 'plan.json', '--yes');
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('PLAN_STALE')]);
    },
    `${BEFORE}${rule('extra', 3389)}`,
  ));

const ONE = `  - name: one
    rules: [{ name: r, sources: [engineers], destinationResource: { peer: jump }, protocol: tcp, ports: ["22"] }]
`;

test('a machine that joins a destination gets what was shown for future members of the group', () =>
  started(
    account,
    async ({ want, run }) => {
      await want(GROUPS + CLOSED + ONE);
      const first = await run('apply', '--yes');
      expect(first.code, first.stderr).toBe(0);
      await want(GROUPS + CLOSED + ONE + rule('all', 22));
      const { stdout } = await run('plan', '--out', 'plan.json');
      // The machines of today are reached already.
      expect(stdout).toContain('→ machines that enrol with group/bastions  tcp/22');
      const bastions = (await listOf(account, 'groups')).find(({ name }) => name === 'bastions');
      await account.enrol('new', [String(bastions?.id)]);
      const { code, stderr } = await run('apply', 'plan.json', '--yes');
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('PLAN_STALE')]);
    },
    GROUPS + CLOSED,
  ));

async function put(path: string, name: string, more: Readonly<Record<string, unknown>>) {
  const id = await idOf(account, path, name);
  await account.call('PUT', `/api/${path}/${id}`, { name, ...more } as never);
}

async function joins(name: string, group: string): Promise<void> {
  const found = (await listOf(account, 'groups')).find(one => one.name === group);
  const members = (found?.peers ?? []) as readonly { readonly id: string }[];
  const peers = [...members.map(({ id }) => id), await idOf(account, 'peers', name)];
  await put('groups', group, { peers });
}

async function userJoins(...groups: readonly string[]): Promise<void> {
  const auto_groups = await Promise.all(groups.map(group => idOf(account, 'groups', group)));
  const user = { name: 'Eve', email: 'eve@example.com', role: 'user', auto_groups };
  await account.call('POST', '/api/users', { ...user, is_service_user: false } as never);
}

async function keyJoins(group: string): Promise<void> {
  const key = { name: 'k9', type: 'reusable', expires_in: 86_400, usage_limit: 0 };
  const auto_groups = [await idOf(account, 'groups', group)];
  await account.call('POST', '/api/setup-keys', { ...key, auto_groups } as never);
}

const between = (name: string, from: string, to: string) =>
  `  - name: ${name}\n    rules: [{ name: r, sources: [${from}], destinations: [${to}], protocol: tcp, ports: ["22"] }]\n`;

test.each([
  ['a user', userJoins],
  ['a setup key', keyJoins],
])(
  '%s whose machines will join a source gets what was shown for the group, however the lines group the sources',
  (_, join) =>
    started(
      account,
      async ({ want, run }) => {
        await want(GROUPS + CLOSED + between('gateways', 'gateways', 'bastions') + rule('ssh', 22));
        expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
        // This machine has the access already, so it is not among the sources that gain it.
        await joins('gw', 'engineers');
        await join('engineers');
        const { code, stderr } = await run('apply', 'plan.json', '--yes');
        expect([code, stderr]).toEqual([0, expect.not.stringContaining('PLAN_STALE')]);
      },
      GROUPS + CLOSED + between('gateways', 'gateways', 'bastions'),
    ),
);

test('a user who was in the group when the plan was shown gets only what was shown for the user', () =>
  started(
    account,
    async ({ want, run }) => {
      await userJoins('contractors', 'gateways');
      const open = `${GROUPS}${CLOSED}${between('other', 'gateways', 'bastions')}`;
      await want(open + between('contractors', 'contractors', 'bastions'));
      const { stdout } = await run('plan', '--out', 'plan.json');
      expect(stdout).toContain('+ machines that enrol with group/contractors');
      await disable('other');
      const { code, stderr } = await run('apply', 'plan.json', '--yes');
      expect([code, stderr]).toEqual([5, expect.stringContaining('→ group/bastions  tcp/22')]);
    },
    `${GROUPS}${CLOSED}${between('other', 'gateways', 'bastions')}`,
  ));

test.each(
  someOf(
    [
      ['gives', GROUPS + CLOSED, BEFORE.replace(NETWORKS, '')],
      ['takes', BEFORE, NARROWED],
    ],
    1,
  ),
)(
  'a plan that %s access is applied although a machine of the group was approved meanwhile',
  (_, first, then) =>
    started(
      account,
      async ({ want, run }) => {
        await account.enrol('new', [await idOf(account, 'groups', 'engineers')]);
        const peer = {
          ssh_enabled: false,
          login_expiration_enabled: false,
          inactivity_expiration_enabled: false,
        };
        await put('peers', 'new', { ...peer, approval_required: true });
        await want(then);
        const { stdout } = await run('plan', '--out', 'plan.json');
        expect(stdout).toContain('2 and future members');
        await put('peers', 'new', { ...peer, approval_required: false });
        const { code, stderr } = await run('apply', 'plan.json', '--yes');
        expect([code, stderr]).toEqual([0, expect.not.stringContaining('PLAN_STALE')]);
      },
      first,
    ),
);

const IN_NO_GROUP = 'users: [{ email: eve@example.com, name: Eve, role: user, auto_groups: [] }]\n';

test('a machine that a user enrolled meanwhile loses what was shown for the machines of the user', () =>
  started(
    account,
    async ({ want, run }) => {
      await userJoins('contractors');
      const policies = CLOSED + between('contractors', 'contractors', 'bastions');
      await want(GROUPS + policies + IN_NO_GROUP);
      const { stdout } = await run('plan', '--out', 'plan.json');
      expect(stdout).toContain('− machines that enrol with user/eve@example.com');
      const user = (await listOf(account, 'users')).find(one => one.email === 'eve@example.com');
      const groups = [await idOf(account, 'groups', 'contractors')];
      await account.enrol('eve-1', groups, { user_id: String(user?.id) });
      const { code, stderr } = await run('apply', 'plan.json', '--yes');
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('PLAN_STALE')]);
    },
    GROUPS + CLOSED + between('contractors', 'contractors', 'bastions'),
  ));

const SSH_TO_RESOURCES = between('resources', 'engineers', 'databases');
const SWITCHED_OFF = SSH_TO_RESOURCES.replace('    rules', '    enabled: false\n    rules');

async function resourceByHand(network: string) {
  const path = `networks/${await idOf(account, 'networks', network)}/resources`;
  const groups = [await idOf(account, 'groups', 'databases')];
  const body = { address: '10.66.0.5', enabled: true, groups };
  await account.call('POST', `/api/${path}`, { ...body, name: 'hand' } as never);
  return () => put(path, 'hand', { ...body, name: 'by hand' });
}

async function networkByHand() {
  await account.call('POST', '/api/networks', { name: 'lab' });
  await resourceByHand('lab');
  const path = `networks/${await idOf(account, 'networks', 'lab')}/routers`;
  const peer = await idOf(account, 'peers', 'gw');
  const router = { peer, metric: 100, masquerade: true, enabled: true };
  await account.call('POST', `/api/${path}`, router as never);
  return () => put('networks', 'lab', { name: 'laboratory' });
}

test.each([
  ['a network resource, and gives access', resourceByHand, SWITCHED_OFF, SSH_TO_RESOURCES],
  ['a network resource, and takes access', resourceByHand, SSH_TO_RESOURCES, SWITCHED_OFF],
  ['a network, and takes access', networkByHand, SSH_TO_RESOURCES, SWITCHED_OFF],
] as const)('a plan is applied although somebody renamed %s', (_, byHand, first, then) =>
  started(
    account,
    async ({ want, run }) => {
      const rename = await byHand('production');
      await want(GROUPS + NETWORKS + CLOSED + then);
      expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
      await rename();
      const { code, stderr } = await run('apply', 'plan.json', '--yes');
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('PLAN_STALE')]);
    },
    GROUPS + NETWORKS + CLOSED + first,
  ),
);
