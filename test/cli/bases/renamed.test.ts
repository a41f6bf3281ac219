// A folder whose name was changed in its project file: its base under the former name stays that of another folder.
import { describe, expect, test, vi } from 'vitest';
import { someOf } from '../../support/variations.ts';
import { expectCode, type Teams, teams } from './teams.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 60_000 });

const GROUPS = 'groups: [{ name: staff }, { name: vault }]\n';
const policy = (name: string, rule: string) =>
  `policies: [{ name: ${name}, rules: [{ name: r, sources: [staff], destinations: [vault], ${rule} }] }]\n`;
const DENY = policy('deny', 'action: drop, protocol: tcp, ports: ["23"]');
const OPEN = policy('evil', 'protocol: tcp, ports: ["22"]');
const GUARDS = 'guarded: ["group/vault:tcp/22"]\nprotect: [policy/deny]\n';

/** The folders net, which guards the account, and app; then one change takes the guards of net away, and changes its name. */
const renamed = (
  [before, after]: readonly [string, string],
  more: Readonly<Record<string, string>>,
  story: (all: Teams) => Promise<void>,
) =>
  teams(async all => {
    const { id, commit, apply, account } = all;
    for (const { id: one } of (await account.call('GET', '/api/policies')) as { id: string }[])
      await account.call('DELETE', `/api/policies/${one}`);
    await account.enrol('mia', []);
    const head = `account: ${id}\n`;
    await commit({
      'net/meshform.yaml': `${head}${before}${GUARDS}`,
      'net/groups.yaml': GROUPS,
      'net/deny.yaml': DENY,
      'app/meshform.yaml': head,
      'app/a.yaml': 'groups: [{ name: a }]\n',
    });
    expectCode(await apply('net'), 0);
    expectCode(await apply('app', ['--first']), 0);
    await commit({ 'net/meshform.yaml': `${head}${after}`, 'net/deny.yaml': null, ...more });
    await story(all);
  }, 'netbird');

describe.concurrent('a folder whose name changed', () => {
  test.each(
    someOf(
      [
        ['another name', 'name: net\n', 'name: net5\n', 'net'],
        ['a name', '', 'name: net5\n', 'net'],
        ['no name', 'name: netops\n', '', 'netops'],
      ],
      1,
    ),
  )(
    'a folder that was renamed to %s is refused as a first run, and the hint says how to take over its base',
    (_, before, after, name) =>
      renamed([before, after], { 'net/evil.yaml': OPEN }, async ({ apply, run, names, base }) => {
        for (const more of [[], ['--first']]) {
          const refused = await apply('net', more);
          expectCode(refused, 6);
          expect(refused.stderr).toContain(`meshform base adopt ${name} net`);
          expect(refused.stderr).not.toContain('add --first');
          expect(refused.stderr).toContain('BASE_WITHOUT_FOLDER');
          expect(refused.stderr).toContain('GUARDS_ELSEWHERE');
        }
        const plain = await run(['apply', 'net', '--prune', 'unmanaged', '--yes']);
        expectCode(plain, 6);
        expect(await names('/api/policies')).toEqual(['deny']);
        expectCode(await run(['base', 'adopt', name, 'net', '--yes']), 0);
        expect(base('net5') || base('net')).not.toBe('');
        const after5 = await apply('net');
        expectCode(after5, 6);
        expect(after5.stderr).not.toContain('BASE_WITHOUT_FOLDER');
        expect(after5.stderr).toContain('LOOSENS_GUARDS');
      }),
  );

  test(
    'still protects its objects, with its guards, from other folders',
    { tags: 'variation' },
    () =>
      renamed(['name: net\n', 'name: net5\n'], { 'app/open.yaml': OPEN }, async all => {
        const { apply, run, names, commit } = all;
        const refused = await apply('app');
        expectCode(refused, 6);
        expect(refused.stderr).toContain('WIDENS_GUARDED_ACCESS');
        expect(refused.stderr).toContain('`net` has a base, but its files belong to `net5` now');
        await commit({ 'app/open.yaml': null });
        expectCode(await run(['apply', 'app', '--prune', 'unmanaged', '--yes']), 0);
        expect(await names('/api/policies')).toEqual(['deny']);
        // Once somebody has decided about the base, it is as the files say.
        expectCode(await run(['base', 'forget', 'net', 'app', '--yes']), 0);
        expect((await run(['plan', 'app'])).stderr).not.toContain('GUARDS_ELSEWHERE');
      }),
  );
});

describe.concurrent('a folder whose files moved into the folder around it', () => {
  test('still protects its objects, with its guards', () =>
    teams(async ({ id, commit, apply, run, names }) => {
      const head = `account: ${id}\n`;
      await commit({
        'net/meshform.yaml': `${head}exclude: [sub]\n`,
        'net/groups.yaml': 'groups: [{ name: n }]\n',
        'net/sub/meshform.yaml': `${head}name: sub\nprotect: [group/s]\n`,
        'net/sub/s.yaml': 'groups: [{ name: s }]\n',
      });
      expectCode(await apply('net'), 0);
      expectCode(await apply('net/sub', ['--first']), 0);
      await commit({
        'net/meshform.yaml': head,
        'net/sub/meshform.yaml': null,
        'net/sub/s.yaml': 'groups: [{ name: x }]\n',
      });
      const kept = await apply('net', ['--prune', 'unmanaged']);
      expectCode(kept, 0);
      expect(kept.stderr).toContain('`sub` has a base, but its files belong to `net` now');
      expect(await names('/api/groups')).toEqual(['All', 'n', 's', 'x']);
      await commit({ 'net/sub/s.yaml': 'groups: [{ name: s, lifecycle: { delete: true } }]\n' });
      const refused = await run(['apply', 'net', '--yes', '--allow', 'DELETES_OBJECT']);
      expectCode(refused, 6);
      expect(refused.stderr).toContain('group.s is protected by `sub`');
    }));
});
