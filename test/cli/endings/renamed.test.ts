// What has ended is known by its id where a base is recorded: a new name in the dashboard keeps nothing.
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { git } from '../../support/git.ts';
import { SERVERS } from '../../support/servers/servers.ts';
import { type EndedFolder, namesOf, withEndedFolder } from './endedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

const FILES = `
groups: [{ name: staff, peers: [ada] }, { name: servers, peers: [db] }]
policies:
  - { name: stays, rules: [{ name: a, sources: [staff], destinations: [servers], protocol: tcp, ports: ["443"] }] }
`;
const GRANT =
  'policies: [{ name: grant, lifecycle: { until: 2026-12-01 }, rules: [{ name: a, sources: [staff], destinations: [servers], protocol: tcp, ports: ["22"] }] }]\n';

const RECORDED = ['--prune', 'removed', '--base', 'auto', '--record-base'];

const recorded = (use: (folder: EndedFolder) => Promise<void>, server = {}) =>
  withEndedFolder(async own => {
    const { account, folder, run, write } = own;
    for (const name of ['ada', 'db']) await account.enrol(name);
    const [all] = (await account.call('GET', '/api/groups')) as readonly [{ readonly id: string }];
    await write({
      'meshform.yaml': `account: ${all.id}\n`,
      'a.yaml': FILES,
      'grants/g.yaml': GRANT,
    });
    git(folder, 'init', '-q', '-b', 'main');
    git(folder, 'add', '-A');
    git(folder, 'commit', '-qm', 'first');
    const { code, stderr } = await run(['apply', 'network', '--yes', '--first', ...RECORDED]);
    expect([code, stderr]).toMatchObject([0, expect.anything()]);
    await use(own);
  }, server);

async function renamed({ account }: EndedFolder): Promise<void> {
  const policies = (await account.call('GET', '/api/policies')) as readonly {
    readonly id: string;
    readonly name: string;
    readonly enabled: boolean;
    readonly rules: readonly {
      readonly sources: readonly { readonly id: string }[];
      readonly destinations: readonly { readonly id: string }[];
    }[];
  }[];
  const found = policies.find(({ name }) => name === 'grant');
  const rules = (found?.rules ?? []).map(rule => ({
    ...rule,
    sources: rule.sources.map(({ id }) => id),
    destinations: rule.destinations.map(({ id }) => id),
  }));
  const body = { name: 'temporary', enabled: true, rules };
  await account.call('PUT', `/api/policies/${found?.id}`, body as never);
}

test.each(SERVERS)('expire finds it: $dialect, $edition', server =>
  recorded(async own => {
    const { run, at, account } = own;
    await renamed(own);
    at('2026-12-02T00:00:00Z');
    const { code, stderr } = await run(['expire', 'network', '--yes', '--base', 'auto', '--write']);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('rror')]);
    expect(await namesOf(account, 'policies')).toEqual(['stays']);
  }, server),
);

test('an apply ends it and records a base, after which nothing is left to do', () =>
  recorded(async own => {
    const { run, at, account } = own;
    at('2026-12-02T00:00:00Z');
    expect((await run(['drift', 'network', '--base', 'auto'])).code).toBe(2);
    expect((await run(['apply', 'network', '--yes', ...RECORDED])).code).toBe(0);
    expect(await namesOf(account, 'policies')).toEqual(['stays']);
    expect((await run(['drift', 'network', '--base', 'auto'])).code).toBe(0);
    const again = await run(['plan', 'network', '--detailed-exitcode', ...RECORDED]);
    expect([again.code, again.stderr]).toEqual([0, expect.not.stringContaining('rror')]);
  }));

test('a base does not bring back what ended before its file was removed', () =>
  recorded(async own => {
    const { run, at, account, folder } = own;
    at('2026-12-02T00:00:00Z');
    expect((await run(['expire', 'network', '--yes', '--base', 'auto', '--write'])).code).toBe(0);
    git(folder, 'add', '-A');
    git(folder, 'commit', '-qm', 'ended');
    expect((await run(['apply', 'network', '--yes', ...RECORDED])).code).toBe(0);
    expect(await namesOf(account, 'policies')).toEqual(['stays']);
  }));

test('expire reads the base that only the remote has, and ends with 0', () =>
  recorded(async own => {
    const { run, at, folder, account } = own;
    git(folder, 'init', '-q', '--bare', 'remote.git');
    git(folder, 'remote', 'add', 'origin', join(folder, 'remote.git'));
    git(folder, 'push', '-q', 'origin', 'refs/meshform-base/*:refs/meshform-base/*', 'main');
    for (const ref of git(folder, 'for-each-ref', '--format=%(refname)', 'refs/meshform-base')
      .trim()
      .split('\n'))
      git(folder, 'update-ref', '-d', ref);
    at('2026-12-02T00:00:00Z');
    const { code, stderr } = await run(['expire', 'network', '--yes', '--base', 'auto']);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('rror')]);
    expect(await namesOf(account, 'policies')).toEqual(['stays']);
  }));

const ENDED = FILES.replace('{ name: stays,', '{ name: stays, lifecycle: { until: 2026-11-01 },');

test.each([
  ['the protect list', { 'meshform.yaml': 'protect: [policy/stays]\n' }],
  [
    'the declaration',
    { 'a.yaml': FILES.replace('{ name: stays,', '{ name: stays, lifecycle: { protect: true },') },
  ],
] as const)(
  'expire ends nothing of which the same change removes the protection in %s',
  (_, before) =>
    recorded(async own => {
      const { run, write, folder, account } = own;
      const [all] = (await account.call('GET', '/api/groups')) as readonly [
        { readonly id: string },
      ];
      const project = `account: ${all.id}\n`;
      const texts: Record<string, string> = { ...before };
      const kept = { 'meshform.yaml': project + (texts['meshform.yaml'] ?? '') };
      await write({ ...texts, ...kept });
      git(folder, 'commit', '-qam', 'protected');
      expect((await run(['apply', 'network', '--yes', ...RECORDED])).code).toBe(0);
      await write({ 'meshform.yaml': project, 'a.yaml': ENDED });
      git(folder, 'commit', '-qam', 'ended');
      const { code, stderr } = await run(['expire', 'network', '--yes', '--base', 'auto']);
      expect([code, stderr]).toEqual([6, expect.stringContaining('PROTECTED')]);
      expect(await namesOf(account, 'policies')).toEqual(['grant', 'stays']);
    }),
);
