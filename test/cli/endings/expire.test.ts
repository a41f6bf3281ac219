// `expire` ends what has ended and nothing else, and removes the files of grants that a read no longer finds.
import { rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { environmentOf, meshform } from '../../support/cli.ts';
import { git } from '../../support/git.ts';
import { SERVERS } from '../../support/servers/servers.ts';
import { someOf } from '../../support/variations.ts';
import { type EndedFolder, namesOf, withEndedFolder } from './endedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

const rule = (name: string, sources: string, port: number) =>
  `{ name: ${name}, sources: ${sources}, destinations: [servers], protocol: tcp, ports: ["${port}"] }`;

const FILES = `
groups:
  - { name: staff, peers: [ada, { name: bob, until: 2026-12-01 }] }
  - { name: contractors, peers: [bob] }
  - { name: servers, peers: [db] }
policies:
  - name: web
    description: as declared
    rules: [${rule('a', '[staff]', 443)}, ${rule('b', '[staff, { name: contractors, until: 2026-12-01 }]', 80)}, ${rule('c', '[{ name: contractors, until: 2026-12-01 }]', 22)}]
`;
const GRANT = `policies: [{ name: grant, lifecycle: { until: 2026-12-01 }, rules: [${rule('a', '[staff]', 22)}] }]\n`;

const applied = (use: (folder: EndedFolder) => Promise<void>, server = {}) =>
  withEndedFolder(async folder => {
    for (const name of ['ada', 'bob', 'cay', 'db']) await folder.account.enrol(name);
    await folder.write({ 'a.yaml': FILES, 'grants/g.yaml': GRANT });
    expect((await folder.run(['apply', 'network', '--yes'])).code).toBe(0);
    await use(folder);
  }, server);

const peersOf = async ({ account }: EndedFolder, name: string) => {
  const groups = (await account.call('GET', '/api/groups')) as readonly {
    readonly id: string;
    readonly name: string;
    readonly peers: readonly { readonly id: string; readonly name: string }[] | null;
  }[];
  const found = groups.find(one => one.name === name);
  return { id: found?.id ?? '', peers: (found?.peers ?? []).map(peer => peer.name).sort() };
};

test('a policy that an administrator disabled stays disabled when a member of it expires', () =>
  applied(async ({ run, at, account }) => {
    const live = (await account.call('GET', '/api/policies')) as readonly {
      readonly id: string;
      readonly name: string;
      readonly rules: readonly object[];
    }[];
    const policy = live.find(({ name }) => name === 'web');
    if (policy === undefined) throw new Error('the policy is not there');
    const ids = (members: unknown) =>
      (members as readonly { readonly id: string }[]).map(({ id }) => id);
    const rules = policy.rules.map(one => {
      const { sources, destinations } = one as Readonly<Record<string, unknown>>;
      return { ...one, sources: ids(sources), destinations: ids(destinations) };
    });
    const body = { name: 'web', enabled: false, rules };
    await account.call('PUT', `/api/policies/${policy.id}`, body as never);
    at('2026-12-02T00:00:00Z');
    const { code, stdout } = await run(['expire', 'network', '--yes']);
    expect(code).toBe(0);
    expect(stdout).toContain('- "contractors"');
    expect(stdout).not.toContain('enabled = false ->');
    const policies = await account.call('GET', '/api/policies');
    expect(policies).toContainEqual(expect.objectContaining({ name: 'web', enabled: false }));
  }));

test.each(someOf(SERVERS, 2))(
  'expire removes only expired objects and members: $dialect, $edition',
  server =>
    applied(async folder => {
      const { run, at, write, account } = folder;
      // The files changed, and so did the account: neither is for `expire`.
      await write({
        'a.yaml': FILES.replace('as declared', 'changed since').replace('"443"', '"8443"'),
        'b.yaml': 'groups: [{ name: new }]\n',
      });
      const staff = await peersOf(folder, 'staff');
      const { id } = await peersOf(folder, 'contractors');
      const peers = (await account.call('GET', '/api/peers')) as readonly {
        readonly id: string;
        readonly name: string;
      }[];
      const ids = peers.flatMap(peer => (peer.name === 'db' ? [] : peer.id));
      await account.call('PUT', `/api/groups/${staff.id}`, { name: 'staff', peers: ids });
      at('2026-12-02T00:00:00Z');
      const { code, stdout, stderr } = await run(['expire', 'network', '--yes']);
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('rror')]);
      expect(stdout).toContain('Expired (clock');
      expect((await peersOf(folder, 'staff')).peers).toEqual(['ada', 'cay']);
      expect(await namesOf(account, 'groups')).not.toContain('new');
      const policies = (await account.call('GET', '/api/policies')) as readonly {
        readonly description: string;
        readonly rules: readonly {
          readonly ports: readonly string[];
          readonly sources: readonly { readonly id: string }[];
        }[];
      }[];
      expect(policies.map(({ description }) => description)).not.toContain('changed since');
      const rules = policies.flatMap(one => one.rules);
      expect(rules.flatMap(({ ports }) => ports).sort()).toEqual(['443', '80']);
      expect(rules.flatMap(({ sources }) => sources.map(one => one.id))).not.toContain(id);
      const again = await run(['expire', 'network', '--yes']);
      expect([again.code, again.stdout]).toEqual([
        0,
        expect.not.stringContaining('to destroy.\n\n'),
      ]);
      expect(await folder.run(['plan', 'network', '--detailed-exitcode'])).toMatchObject({
        code: 2,
      });
    }, server),
);

test.each(someOf(SERVERS, 2))(
  'a machine that joins between read and write of expire stays in the group: $dialect, $edition',
  server =>
    applied(async folder => {
      const { run, at, account } = folder;
      const { id } = await peersOf(folder, 'staff');
      at('2026-12-02T00:00:00Z');
      let isLate = false;
      account.onAnswer(({ method, path }) => {
        if (isLate || method !== 'GET' || path !== `/api/groups/${id}`) return;
        isLate = true;
        void account.enrol('late', [id]);
      });
      const { code, stdout } = await run(['expire', 'network', '--yes']);
      expect((await peersOf(folder, 'staff')).peers).toEqual(['ada', 'late']);
      expect(code).toBe(0);
      expect(stdout).toContain('joined `peers` during the write, and was added again: late');
    }, server),
);

const grantsIn = ({ folder }: EndedFolder) => readdir(join(folder, 'network', 'grants'));

test('--write removes only the files of grants that no longer exist in the account', () =>
  applied(async folder => {
    const { run, at, write } = folder;
    await write({
      'grants/shared.yaml': `${GRANT.replaceAll('name: grant', 'name: shared')}templates: [{ name: web, ports: ["443"] }]\n`,
      'grants/later.yaml': GRANT.replaceAll('grant', 'later').replace('2026-12-01', '2027-01-01'),
      'elsewhere.yaml': GRANT.replaceAll('grant', 'elsewhere'),
    });
    expect((await run(['expire', 'network', '--yes', '--write'])).code).toBe(0);
    expect(await grantsIn(folder)).toHaveLength(3);
    at('2026-12-02T00:00:00Z');
    const { code, stdout, stderr } = await run(['expire', 'network', '--yes', '--write']);
    expect(code).toBe(0);
    expect(stdout).toContain('Removed: network/grants/g.yaml');
    expect(stderr).toContain('`network/grants/shared.yaml` stays');
    expect(await grantsIn(folder)).toEqual(['later.yaml', 'shared.yaml']);
    expect(await readdir(join(folder.folder, 'network'))).toContain('elsewhere.yaml');
  }));

test('--write leaves the files of another layer, wherever the command is run', () =>
  withEndedFolder(async folder => {
    const { account, at, write } = folder;
    for (const name of ['ada', 'db']) await account.enrol(name);
    git(folder.folder, 'init', '--quiet');
    await write({
      '../common/a.yaml':
        'groups: [{ name: staff, peers: [ada] }, { name: servers, peers: [db] }]\n',
      '../common/grants/c.yaml': GRANT.replaceAll('grant', 'common'),
      'meshform.yaml': 'layers: [../common, .]\n',
      'grants/g.yaml': GRANT,
      'inner/file.txt': '',
    });
    const within = { env: environmentOf(account), cwd: join(folder.folder, 'network/inner') };
    const before = { ...within, now: Date.parse('2026-11-30T12:00:00Z') };
    expect((await meshform(['apply', '..', '--yes'], before)).code).toBe(0);
    at('2026-12-02T00:00:00Z');
    const after = { ...within, now: Date.parse('2026-12-02T00:00:00Z') };
    const { code, stdout } = await meshform(['expire', '..', '--yes', '--write'], after);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Removed: ../grants/g.yaml')]);
    expect(await readdir(join(folder.folder, 'common/grants'))).toEqual(['c.yaml']);
  }));

test('--write removes no file of a grant that was not applied yet if the clock of the server is before its expiry', () =>
  withEndedFolder(async folder => {
    await folder.write({
      'a.yaml': 'groups: [{ name: staff }, { name: servers }]\n',
      'grants/g.yaml': GRANT,
    });
    const { code, stdout, stderr } = await folder.run(
      ['expire', 'network', '--yes', '--write'],
      '2026-12-02T00:00:00Z',
    );
    expect([code, stderr]).toEqual([6, expect.stringContaining('so no file is removed')]);
    expect(stdout).not.toContain('Removed');
    expect(await grantsIn(folder)).toEqual(['g.yaml']);
  }));

test('--write says nothing about a file that another run has removed meanwhile', () =>
  applied(async ({ run, at, account, folder }) => {
    at('2026-12-02T00:00:00Z');
    let isDeleted = false;
    account.onAnswer(({ method, path }) => {
      isDeleted ||= method === 'DELETE';
      if (isDeleted && path === '/api/policies')
        rmSync(join(folder, 'network/grants/g.yaml'), { force: true });
    });
    const { code, stdout, stderr } = await run(['expire', 'network', '--yes', '--write']);
    expect(code).toBe(0);
    expect(stdout + stderr).not.toMatch(/Removed|g\.yaml. stays/);
  }));

test('expire prints the commands that commit the removed files', () =>
  applied(async ({ run, at, write }) => {
    await write({ "old/grants/it's.yaml": GRANT.replaceAll('name: grant', 'name: old') });
    expect((await run(['apply', 'network', '--yes'])).code).toBe(0);
    at('2026-12-02T00:00:00Z');
    const { stdout } = await run(['expire', 'network', '--yes', '--write']);
    expect(stdout).toContain(
      "  git add -A network/grants network/old/grants && git commit -m 'Grants that have ended'\n",
    );
    const json = await run(['expire', 'network', '--yes', '--write', '--format', 'json']);
    expect(`${json.stdout}${json.stderr}`).not.toContain('git add');
  }));

test('expire does not report declared objects as undeclared', () =>
  applied(async ({ run, at, account }) => {
    await account.call('POST', '/api/groups', { name: 'extra', peers: [] });
    at('2026-12-02T00:00:00Z');
    const { stdout } = await run(['expire', 'network', '--yes']);
    expect(stdout).toContain('  1 group not declared: extra\n');
    expect(stdout).toContain('(1 unchanged)');
    expect(stdout).not.toMatch(/not declared: .*(servers|staff|contractors|web)/);
    expect(stdout).toContain('\n4 objects declared; ');
    const again = await run(['expire', 'network', '--yes']);
    expect(again.stdout).toContain('\n4 objects declared; ');
  }));

test('a file stays as long as its grant is in the account', () =>
  applied(async folder => {
    const { run, at, write } = folder;
    await write({ 'meshform.yaml': 'protect: [policy/grant]\n' });
    at('2026-12-02T00:00:00Z');
    expect((await run(['expire', 'network', '--yes', '--write'])).code).toBe(6);
    expect(await grantsIn(folder)).toEqual(['g.yaml']);
  }));

test('an expired object that another object refers to stays, and the exit code says so', () =>
  applied(async folder => {
    const { run, at, write, account } = folder;
    await write({
      'grants/t.yaml': 'groups: [{ name: temps, lifecycle: { until: 2026-12-01 } }]\n',
    });
    expect((await run(['apply', 'network', '--yes'])).code).toBe(0);
    const { id } = await peersOf(folder, 'temps');
    const all = { enabled: true, action: 'accept', bidirectional: false, protocol: 'all' };
    const rules = [{ ...all, name: 'x', sources: [id], destinations: [id] }];
    await account.call('POST', '/api/policies', { name: 'by hand', enabled: true, rules });
    at('2026-12-02T00:00:00Z');
    const { code, stderr } = await run(['expire', 'network', '--yes', '--write']);
    expect([code, stderr]).toEqual([4, expect.stringContaining('END_HELD')]);
    expect(await grantsIn(folder)).toEqual(['t.yaml']);
    expect(await namesOf(account, 'policies')).not.toContain('grant');
  }));

test('--write keeps the files of grants if the list of their objects is unreadable', () =>
  applied(async folder => {
    const { run, at, account } = folder;
    at('2026-12-02T00:00:00Z');
    await account.fault({
      method: 'GET',
      path: '/api/policies',
      effect: 'status',
      status: 403,
      times: 50,
    });
    const { code } = await run(['expire', 'network', '--yes', '--write']);
    expect(code).not.toBe(0);
    expect(await grantsIn(folder)).toEqual(['g.yaml']);
  }));

test('expire is not stopped by an access test that allows the expired access', () =>
  applied(async folder => {
    const { run, at, write, account } = folder;
    await write({
      't.yaml': 'access_tests: [{ name: t, from: group/staff, allow: ["group/servers:tcp/22"] }]\n',
    });
    at('2026-12-02T00:00:00Z');
    expect((await run(['apply', 'network', '--yes'])).code).toBe(6);
    expect((await run(['expire', 'network', '--yes'])).code).toBe(0);
    expect(await namesOf(account, 'policies')).not.toContain('grant');
  }));

test('expire asks before it removes anything', () =>
  applied(async folder => {
    folder.at('2026-12-02T00:00:00Z');
    expect((await folder.run(['expire', 'network'])).code).toBe(64);
    expect(await namesOf(folder.account, 'policies')).toContain('grant');
  }));

test('the file of a grant stays, without a base, if its object may have a different name in the account', () =>
  applied(async folder => {
    const { run, at, account } = folder;
    const policies = (await account.call('GET', '/api/policies')) as readonly {
      readonly id: string;
      readonly name: string;
      readonly rules: readonly {
        readonly sources: readonly { readonly id: string }[];
        readonly destinations: readonly { readonly id: string }[];
      }[];
    }[];
    const grant = policies.find(({ name }) => name === 'grant');
    const rules = grant?.rules.map(rule => ({
      ...rule,
      sources: rule.sources.map(({ id }) => id),
      destinations: rule.destinations.map(({ id }) => id),
    }));
    const renamed = { ...grant, name: 'renamed', rules } as never;
    await account.call('PUT', `/api/policies/${grant?.id}`, renamed);
    at('2026-12-02T00:00:00Z');
    const { code, stdout, stderr } = await run(['expire', 'network', '--yes', '--write']);
    expect([code, stdout, stderr]).toEqual([
      4,
      expect.not.stringContaining('Removed'),
      expect.stringContaining('policy.renamed, which no file declares, has its content'),
    ]);
    await account.call('DELETE', `/api/policies/${grant?.id}`);
    const after = await run(['expire', 'network', '--yes', '--write']);
    expect([after.code, after.stdout]).toEqual([
      0,
      expect.stringContaining('Removed: network/grants'),
    ]);
  }));
