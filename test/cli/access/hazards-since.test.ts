// A saved plan is applied only with the hazards and the rights that it showed: somebody may have changed since what they depend on.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isObject, type JsonObject } from '../../../src/model/value.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { idOf, listOf } from './gatedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount({ dialect: 'netbird', edition: 'self-hosted' });
  for (const name of ['gate', 'laptop']) await account.enrol(name);
});
afterEach(() => account.close());

/** Somebody changes settings in the dashboard. */
async function setInDashboard(settings: JsonObject): Promise<void> {
  const [found] = await listOf(account, 'accounts');
  const before = isObject(found?.settings) ? found.settings : {};
  await account.call('PUT', `/api/accounts/${found?.id}`, {
    ...(found as JsonObject),
    settings: { ...before, ...settings },
  });
}

const group = async (name: string) => await idOf(account, 'groups', name);
const person = async (name: string, role = 'user', more: JsonObject = {}) =>
  await account.control('POST', '/emulator/users', {
    name,
    email: `${name}@example.com`,
    role,
    issued: 'api',
    ...more,
  });

async function joinInDashboard(name: string, ...machines: string[]): Promise<void> {
  const ids = await Promise.all(machines.map(machine => idOf(account, 'peers', machine)));
  await account.call('PUT', `/api/groups/${await group(name)}`, { name, peers: ids });
}

const machineOf = async (name: string, machine: string) => {
  const users = await listOf(account, 'users');
  const id = users.find(one => one.name === name)?.id;
  await account.enrol(machine, [], { user_id: String(id) });
};

const settings = (fields: JsonObject) => `account_settings: ${JSON.stringify(fields)}\n`;
const groups = (members: Readonly<Record<string, string>>) =>
  `groups: [${Object.entries(members)
    .map(([name, peers]) => `{ name: ${name}, peers: [${peers}], lifecycle: { exact: [peers] } }`)
    .join(', ')}]\n`;

interface Case {
  /** What the account is like before the plan. */
  readonly first?: string;
  readonly given?: () => Promise<unknown>;
  readonly wanted: string;
  /** What somebody changes between the plan and its apply. */
  readonly meanwhile: () => Promise<unknown>;
  readonly says: string;
}

const CASES: Readonly<Record<string, Case>> = {
  'LOCKS_OUT, by a list of groups that fills': {
    wanted: settings({ jwt_groups_enabled: true, jwt_groups_claim_name: 'groups' }),
    meanwhile: () => setInDashboard({ jwt_allow_groups: ['nobody'] }),
    says: 'LOCKS_OUT  `jwt_groups_enabled` of account_settings.account changes',
  },
  'LOCKS_OUT, by another claim': {
    given: () => setInDashboard({ jwt_groups_enabled: true, jwt_groups_claim_name: 'groups' }),
    wanted: settings({ jwt_groups_claim_name: 'roles' }),
    meanwhile: () => setInDashboard({ jwt_allow_groups: ['staff'] }),
    says: 'LOCKS_OUT  `jwt_groups_claim_name`',
  },
  'EXPIRES_MACHINES, by a switch': {
    given: async () => {
      await person('ann');
      await machineOf('ann', 'ann-pc');
      await setInDashboard({
        peer_inactivity_expiration_enabled: false,
        peer_inactivity_expiration: 600,
      });
    },
    wanted: settings({ peer_inactivity_expiration: 60 }),
    meanwhile: () => setInDashboard({ peer_inactivity_expiration_enabled: true }),
    says: 'EXPIRES_MACHINES  `peer_inactivity_expiration`',
  },
  'EXPIRES_MACHINES, of more machines': {
    given: async () => {
      await person('ann');
      await setInDashboard({ peer_login_expiration_enabled: false });
    },
    wanted: settings({ peer_login_expiration_enabled: true }),
    meanwhile: () => machineOf('ann', 'ann-pc'),
    says: 'EXPIRES_MACHINES  `peer_login_expiration_enabled`',
  },
  'EXPOSES_WITHOUT_FILES, by a switch': {
    first: groups({ ops: 'gate', others: 'laptop' }),
    given: async () => setInDashboard({ peer_expose_groups: [await group('ops')] }),
    wanted: `groups: [{ name: ops }, { name: others }]\n${settings({ peer_expose_groups: ['ops', 'others'] })}`,
    meanwhile: () => setInDashboard({ peer_expose_enabled: true }),
    says: 'EXPOSES_WITHOUT_FILES  `peer_expose_groups`',
  },
  'EXPOSES_WITHOUT_FILES, of another machine': {
    first: groups({ ops: 'gate', others: 'laptop' }),
    given: async () => setInDashboard({ peer_expose_groups: [await group('ops')] }),
    wanted: `groups: [{ name: ops }, { name: others }]\n${settings({ peer_expose_enabled: true })}`,
    meanwhile: async () => setInDashboard({ peer_expose_groups: [await group('others')] }),
    says: 'EXPOSES_WITHOUT_FILES  `peer_expose_enabled`',
  },
  'EXPOSES_WITHOUT_FILES, of machines to come in another group': {
    first: groups({ ops: '', others: '' }),
    given: async () => setInDashboard({ peer_expose_groups: [await group('ops')] }),
    wanted: `groups: [{ name: ops }, { name: others }]\n${settings({ peer_expose_enabled: true })}`,
    meanwhile: async () => setInDashboard({ peer_expose_groups: [await group('others')] }),
    says: 'EXPOSES_WITHOUT_FILES  `peer_expose_enabled`',
  },
  'EXPOSES_WITHOUT_FILES, by a group that machines join': {
    first: groups({ ops: '' }),
    wanted: groups({ ops: 'laptop' }),
    meanwhile: async () =>
      setInDashboard({ peer_expose_enabled: true, peer_expose_groups: [await group('ops')] }),
    says: 'group.ops: peer/laptop may publish ports to the internet that no file declares',
  },
  'LOSES_IPV6, by a group that machines leave': {
    first: groups({ six: 'gate, laptop' }),
    wanted: groups({ six: 'gate' }),
    meanwhile: async () => setInDashboard({ ipv6_enabled_groups: [await group('six')] }),
    says: 'LOSES_IPV6  `peers` of group.six changes',
  },
  'LOSES_IPV6, of more machines': {
    first: groups({ six: 'gate', more: '' }),
    given: async () =>
      setInDashboard({ ipv6_enabled_groups: [await group('six'), await group('more')] }),
    wanted: `groups: [{ name: six }, { name: more }]\n${settings({ ipv6_enabled_groups: ['six'] })}`,
    meanwhile: () => joinInDashboard('more', 'laptop'),
    says: 'LOSES_IPV6  `ipv6_enabled_groups`',
  },
  'RENUMBERS_MACHINES, of more machines': {
    wanted: settings({ network_range: '100.90.0.0/16' }),
    meanwhile: () => account.enrol('third'),
    says: 'RENUMBERS_MACHINES  `network_range`',
  },
  'RENUMBERS_MACHINES, of another machine': {
    wanted: settings({ network_range: '100.90.0.0/16' }),
    meanwhile: async () => {
      await account.call('DELETE', `/api/peers/${await idOf(account, 'peers', 'laptop')}`);
      await account.enrol('third');
    },
    says: 'RENUMBERS_MACHINES  `network_range`',
  },
  'LOCKS_OUT, of another person of the same name': {
    given: async () => {
      await person('bob', 'user', { idp_id: 'sso-bob' });
      await setInDashboard({ jwt_allow_groups: ['nobody'] });
    },
    wanted: settings({ jwt_groups_enabled: true, jwt_groups_claim_name: 'groups' }),
    meanwhile: async () => {
      await account.call('DELETE', `/api/users/${await idOf(account, 'users', 'bob')}`);
      await person('bob', 'user', { idp_id: 'sso-other' });
    },
    says: 'LOCKS_OUT  `jwt_groups_enabled`',
  },
  'RENAMES_MACHINES, of more machines': {
    wanted: settings({ dns_domain: 'corp.example' }),
    meanwhile: () => account.enrol('third'),
    says: 'RENAMES_MACHINES  `dns_domain`',
  },
  'REMOVES_LAST_ADMIN, after another one is none': {
    given: async () => {
      await person('ann', 'admin');
      await person('bob', 'admin');
    },
    wanted: 'users: [{ email: ann@example.com, name: ann, role: user }]\n',
    meanwhile: async () => {
      const admins = (await listOf(account, 'users')).filter(
        ({ role, name }) => role === 'admin' && name !== 'ann',
      );
      for (const { id } of admins)
        await account.call('PUT', `/api/users/${id}`, {
          role: 'user',
          auto_groups: [],
          is_blocked: false,
        });
    },
    says: 'REMOVES_LAST_ADMIN  user.ann@example.com',
  },
};

const CODES = [...new Set(Object.keys(CASES).map(name => name.split(',')[0] ?? ''))];
const ALLOWED = CODES.flatMap(code => ['--allow', code]);

for (const [name, { first = '', given, wanted, meanwhile, says }] of Object.entries(CASES))
  test(`a saved plan is stale if it now has another hazard: ${name}`, () =>
    inFolder(async cwd => {
      const write = (text: string) => writeFile(join(cwd, 'network.yaml'), text);
      const run = (...words: string[]) => meshform(words, { cwd, env: environmentOf(account) });
      await write(first);
      if (first !== '') expect((await run('apply', '--yes')).code).toBe(0);
      await given?.();
      await write(wanted);
      const planned = await run('plan', '--out', 'plan.json', ...ALLOWED);
      expect(planned.code, planned.stderr).toBe(0);
      expect((await run('plan', 'check', 'plan.json')).code).toBe(0);
      await meanwhile();
      const sent = account.requests.length;
      for (const words of [
        ['plan', 'check', 'plan.json'],
        ['apply', 'plan.json', '--yes', ...ALLOWED],
      ]) {
        const { code, stderr } = await run(...words);
        expect([code, stderr]).toEqual([5, expect.stringContaining('PLAN_STALE')]);
        expect(stderr).toContain(says);
      }
      expect(account.requests.slice(sent).every(({ method }) => method === 'GET')).toBe(true);
      // A new plan shows it, and is applied once that is allowed.
      expect((await run('plan', '--out', 'plan.json', ...ALLOWED)).code).toBe(0);
      const applied = await run('apply', 'plan.json', '--yes');
      expect(applied.code, applied.stderr).toBe(0);
    }));

test('a saved plan that hits fewer machines and people than it showed is applied', () =>
  inFolder(async cwd => {
    const run = (...words: string[]) => meshform(words, { cwd, env: environmentOf(account) });
    await account.enrol('third');
    for (const name of ['ann', 'bob']) await person(name, 'user', { idp_id: `sso-${name}` });
    await setInDashboard({ local_mfa_enabled: false, jwt_allow_groups: ['nobody'] });
    await writeFile(
      join(cwd, 'network.yaml'),
      settings({
        network_range: '100.90.0.0/16',
        jwt_groups_enabled: true,
        jwt_groups_claim_name: 'groups',
      }),
    );
    const allowed = ['RENUMBERS_MACHINES', 'LOCKS_OUT'].flatMap(code => ['--allow', code]);
    const planned = await run('plan', '--out', 'plan.json', ...allowed);
    expect(planned.stdout).toContain('(3 peers)');
    expect(planned.stdout.replaceAll(/\s+/g, ' ')).toMatch(/LOCKS_OUT .*bob/);
    await account.call('DELETE', `/api/peers/${await idOf(account, 'peers', 'third')}`);
    await account.call('DELETE', `/api/users/${await idOf(account, 'users', 'bob')}`);
    const checked = await run('plan', 'check', 'plan.json');
    expect(checked.code, checked.stderr).toBe(0);
    const applied = await run('apply', 'plan.json', '--yes');
    expect(applied.code, applied.stderr).toBe(0);
  }));

test('a saved plan whose hazards are the same is applied, whatever else has changed', () =>
  inFolder(async cwd => {
    const run = (...words: string[]) => meshform(words, { cwd, env: environmentOf(account) });
    const write = (text: string) => writeFile(join(cwd, 'network.yaml'), text);
    const cluster = { address: 'eu.proxy.test', shared: true };
    await account.control('POST', '/emulator/proxy-clusters', cluster);
    await person('ann', 'admin');
    await person('bob', 'admin');
    await write(groups({ six: 'gate, laptop', old: '' }));
    expect((await run('apply', '--yes')).code).toBe(0);
    await setInDashboard({ ipv6_enabled_groups: [await group('six')] });
    await write(`${groups({ six: 'gate' })}users: [{ email: ann@example.com, name: ann, role: user }]
reverse_proxy:
  services:
    - domain: a.eu.proxy.test
      name: A
      targets: [{ target: { peer: gate }, port: 80, protocol: http }]
`);
    const allowed = ['LOSES_IPV6', 'SERVICE_PUBLIC'].flatMap(code => ['--allow', code]);
    const planned = await run('plan', '--out', 'plan.json', ...allowed);
    expect(planned.stdout).toContain('SERVICE_PUBLIC');
    expect(planned.stdout).toContain('of account_settings.account names: peers lose their IPv6');
    await account.enrol('third');
    await person('carl');
    const checked = await run('plan', 'check', 'plan.json');
    expect(checked.code, checked.stderr).toBe(0);
    const applied = await run('apply', 'plan.json', '--yes');
    expect(applied.code, applied.stderr).toBe(0);
  }));
