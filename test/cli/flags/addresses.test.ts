// Every flag that takes an object understands its address as a plan prints it, and hints print what flags take.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount();
});
afterEach(() => account.close());

const NETWORK = `
networks:
  - name: office
    resources: [{ name: d/b, address: 10.0.0.5, groups: [a/b] }]
`;

/** The plan of these files with these flags, as the addresses of its changes. */
const planned = (text: string, ...flags: readonly string[]) =>
  inFolder(async folder => {
    const file = join(folder, 'network.yaml');
    await writeFile(file, text);
    const argv = ['plan', file, '--format', 'json', ...flags];
    const ended = await meshform(argv, { env: environmentOf(account), cwd: folder });
    const document = ended.stdout === '' ? {} : JSON.parse(ended.stdout);
    const changes: { address: string; change: { actions: string[] } }[] =
      document.resource_changes ?? [];
    return {
      ...ended,
      changed: changes
        .filter(({ change }) => change.actions.some(action => action !== 'no-op'))
        .map(({ address }) => address),
    };
  });

describe('--only and --except accept every form of an address:', () => {
  test.each(['group/a\\/b', 'group/a/b', 'group.a/b', 'group["a/b"]', 'groups/a\\/b', 'a/b'])(
    '%s',
    async name => {
      const files = 'groups: [{ name: a/b }, { name: c }]\n';
      expect((await planned(files, '--only', name)).changed).toEqual(['group.a/b']);
      expect((await planned(files, '--except', name)).changed).toEqual(['group.c']);
    },
  );

  test.each([
    'network_resource/office/d\\/b',
    'network_resource["office/d\\\\/b"]',
    'networks.resources/office/d\\/b',
  ])('%s, for a child object', async name => {
    await account.call('POST', '/api/groups', { name: 'a/b' });
    await account.call('POST', '/api/networks', { name: 'office', description: '' });
    const { changed } = await planned(`groups: [{ name: a/b }]${NETWORK}`, '--only', name);
    expect(changed).toEqual(['network_resource["office/d\\\\/b"]']);
  });

  test('a name of an object that looks like the address of a child is refused', async () => {
    const files = 'groups: [{ name: a }, { name: group.a }]\n';
    const ended = await planned(files, '--only', 'group.a');
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('write `group/a` or `group/group.a`');
    expect((await planned(files, '--only', 'group/group.a')).changed).toEqual(['group.group.a']);
  });
});

describe('--allow CODE=object accepts every form of a name:', () => {
  test.each(['group/a\\/b', 'group.a/b', 'group["a/b"]'])('%s', async name => {
    const owned = (text: string) => `groups: [{ name: a/b, ${text} }]\n`;
    await account.call('POST', '/api/groups', { name: 'a/b' });
    const files = owned('lifecycle: { delete: true }');
    const refused = await planned(files);
    expect(JSON.parse(refused.stdout).applyable).toBe(true);
    const ended = await planned(files, '--allow', `DELETES_OBJECT=${name}`);
    expect(ended.stderr).toBe('');
    const { meshform: own } = JSON.parse(ended.stdout);
    expect(own.actions.map(({ hazards }: { hazards: unknown }) => hazards)).toMatchObject([
      [{ code: 'DELETES_OBJECT', allowed: true }],
    ]);
  });

  test('an object that does not exist is an error, with its name in the form of the flag', async () => {
    const ended = await planned('groups: [{ name: a/b }]\n', '--allow', 'DELETES_OBJECT=group/a/d');
    expect(ended.stderr).toContain('did you mean `group/a\\/b`?');
  });
});

describe('without a terminal and without --yes', () => {
  test('apply exits 64 before its first request', async () => {
    await inFolder(async folder => {
      const file = join(folder, 'network.yaml');
      await writeFile(file, 'groups: [{ name: a }]\n');
      const env = environmentOf(account);
      const before = account.requests.length;
      const ended = await meshform(['apply', file], { env, cwd: folder });
      expect(ended.code).toBe(64);
      expect(ended.stdout).toBe('');
      expect(ended.stderr).toContain('--yes');
      expect(account.requests).toHaveLength(before);
      await meshform(['plan', file, '--out', 'plan.json'], { env, cwd: folder });
      const planned = account.requests.length;
      expect((await meshform(['apply', 'plan.json'], { env, cwd: folder })).code).toBe(64);
      expect(account.requests).toHaveLength(planned);
      const applied = await meshform(['apply', 'plan.json', '--yes'], { env, cwd: folder });
      const [, journal = ''] = /Journal: (\S+)\./.exec(applied.stderr) ?? [];
      const done = account.requests.length;
      for (const flags of [
        ['--resume', journal],
        ['--undo', journal],
      ])
        expect((await meshform(['apply', ...flags], { env, cwd: folder })).code).toBe(64);
      expect(account.requests).toHaveLength(done);
    });
  });
});

describe('--verbose', () => {
  test('prints each request on stderr, without secrets', async () => {
    await account.fault({ method: 'GET', path: '/api/groups', effect: 'status' });
    const ended = await planned('groups: [{ name: a }]\n', '--verbose');
    expect(ended.code).toBe(0);
    const lines = ended.stderr.split('\n').filter(line => line.startsWith('GET '));
    const sent = account.requests.filter(({ path }) => path.startsWith('/api/'));
    expect(lines).toContain('GET /api/groups: 200 in 0 ms, 2 tries');
    expect(lines.length).toBe(sent.length);
    expect(ended.stderr).not.toContain(account.token);
  });
});
