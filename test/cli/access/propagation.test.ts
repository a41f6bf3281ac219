// The setting that adds the groups of people to their machines: what it moves is access that a plan shows, and no run without new
// access lets it through. Switched off, it takes nothing back, and later groups of people move no machine.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Json } from '../../../src/model/value.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { type Ended, environmentOf, inFolder, meshform } from '../../support/cli.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

const ACCOUNT = {
  '/emulator/users': [{ id: 'ada', name: 'Ada', email: 'ada@example.com' }],
  '/emulator/peers': [
    { id: 'phone-id', name: 'phone', user_id: 'ada' },
    { id: 'db-id', name: 'db' },
  ],
  '/api/groups': [
    { id: 'e', name: 'engineers', peers: [] },
    { id: 's', name: 'staff', peers: ['phone-id'] },
    { id: 'd', name: 'databases', peers: ['db-id'] },
  ],
};
const rule = (name: string, source: string, port: number, more = '') =>
  `  - { name: ${name}, rules: [{ name: ${name}, sources: [${source}], destinations: [databases], protocol: tcp, ports: ["${port}"]${more} }] }\n`;
const POLICIES = `policies:
  - { name: Default, enabled: false, rules: [{ name: Default, sources: [All], destinations: [All], bidirectional: true, protocol: all }] }
${rule('postgres', 'engineers', 5432)}${rule('web', 'staff', 443)}${rule('no web', 'engineers', 443, ', action: drop')}`;
const settings = (on: boolean) => `account_settings: { groups_propagation_enabled: ${on} }\n`;
const ada = (...groups: readonly string[]) =>
  `users: [{ email: ada@example.com, name: Ada, role: user, auto_groups: [${groups.join(', ')}] }]\n`;

interface Folder {
  readonly account: TestAccount;
  readonly write: (files: string) => Promise<void>;
  readonly want: (files: string) => Promise<void>;
  readonly run: (...words: readonly string[]) => Promise<Ended>;
}

async function started(files: string, use: (folder: Folder) => Promise<void>): Promise<void> {
  const account = await startAccount({ dialect: 'netbird', edition: 'self-hosted' });
  onTestFinished(() => account.close());
  await account.control('POST', '/emulator/load', ACCOUNT as unknown as Json);
  await account.control('PUT', '/emulator/settings', { group_propagation: false });
  await inFolder(async cwd => {
    const write = (text: string) => writeFile(join(cwd, 'network.yaml'), text);
    const folder: Folder = {
      account,
      write,
      want: text => write(POLICIES + text),
      run: (...words) => meshform(words, { cwd, env: environmentOf(account) }),
    };
    await folder.want(files);
    const first = await folder.run('apply', '--yes');
    expect(first.code, first.stderr).toBe(0);
    await use(folder);
  });
}

interface Line {
  readonly change: string;
  readonly from: string;
  readonly ports_before: readonly string[];
  readonly ports_after: readonly string[];
  readonly causes: readonly string[];
}

/** The lines of the access diff about the machine of the person. */
async function ofPhone({ run }: Folder): Promise<readonly string[]> {
  const { stdout } = await run('plan', '--format', 'json');
  const { access_changes: changes } = JSON.parse(stdout).meshform as {
    access_changes: readonly Line[];
  };
  return changes
    .filter(({ from }) => from.includes('phone') || from.includes('staff'))
    .map(
      ({ change, ports_before: was, ports_after: is, causes }) =>
        `${change} ${was.join()} -> ${is.join()} because of ${causes.join(', ')}`,
    )
    .sort();
}

const groupsOf = async ({ account }: Folder): Promise<readonly string[]> => {
  const peer = (await account.call('GET', '/api/peers/phone-id')) as {
    groups: readonly { name: string }[];
  };
  return peer.groups.map(({ name }) => name).toSorted();
};

const MOVED = ['changed 443 -> 5432 because of account_settings.account'];

describe('with propagation enabled', () => {
  test('the plan shows what machines gain and lose by the groups of their users', () =>
    started(settings(false) + ada('engineers'), async folder => {
      expect(await groupsOf(folder)).toEqual(['All', 'staff']);
      await folder.want(settings(true) + ada('engineers'));
      expect(await ofPhone(folder)).toEqual(MOVED);
      const { stdout } = await folder.run('plan');
      expect(stdout).toContain('the server moves phone into group.engineers\n');
      const refused = await folder.run('apply', '--yes', '--no-new-access');
      expect(refused.code).toBe(6);
      expect(refused.stderr).toContain('+ peer/phone → group/databases  tcp/5432');
      expect((await folder.run('apply', '--yes')).code).toBe(0);
      expect(await groupsOf(folder)).toEqual(['All', 'engineers', 'staff']);
      expect((await folder.run('plan', '--detailed-exitcode')).code).toBe(0);
    }));

  test('the plan also shows access from groups that the same plan gives to a user', () =>
    started(settings(false) + ada(), async folder => {
      await folder.want(settings(true) + ada('engineers'));
      expect(await ofPhone(folder)).toEqual(MOVED.map(line => `${line}, user.ada@example.com`));
      expect((await folder.run('apply', '--yes')).code).toBe(0);
      expect(await groupsOf(folder)).toEqual(['All', 'engineers', 'staff']);
      expect((await folder.run('plan', '--detailed-exitcode')).code).toBe(0);
    }));

  test.each([
    [
      'a group that a file owns whole',
      '{ name: engineers, peers: [], lifecycle: { exact: [peers] } }',
      false,
    ],
    ['a group whose members a file shares', '{ name: engineers, peers: [db] }', true],
    ['a group that is renamed', '{ name: developers, lifecycle: { was: engineers } }', true],
  ])('the second plan is empty after one apply: %s', (_, group, isMember) =>
    started(settings(false) + ada('engineers'), async folder => {
      const groups = `groups: [${group}, { name: staff }, { name: databases }]\n`;
      const text = POLICIES + settings(true) + ada('engineers');
      const isRenamed = group.includes('developers');
      await folder.write((isRenamed ? text.replaceAll('engineers', 'developers') : text) + groups);
      const applied = await folder.run('apply', '--yes');
      expect(applied.code, applied.stdout + applied.stderr).toBe(0);
      expect((await groupsOf(folder)).length).toBe(isMember ? 3 : 2);
      const again = await folder.run('plan', '--detailed-exitcode');
      expect(again.code, again.stdout).toBe(0);
    }),
  );
});

describe('with propagation disabled', () => {
  test('no machine gains or loses access', () =>
    started(settings(true) + ada('engineers'), async folder => {
      await folder.want(settings(false) + ada('engineers'));
      expect(await ofPhone(folder)).toEqual([]);
      expect((await folder.run('apply', '--yes', '--no-new-access')).code).toBe(0);
      expect(await groupsOf(folder)).toEqual(['All', 'engineers', 'staff']);
    }));

  test('groups of a user do not move machines, and the plan does not say that they do', () =>
    started(settings(false) + ada(), async folder => {
      await folder.want(ada('engineers'));
      expect(await ofPhone(folder)).toEqual([]);
      expect((await folder.run('apply', '--yes')).code).toBe(0);
      expect(await groupsOf(folder)).toEqual(['All', 'staff']);
    }));
});
