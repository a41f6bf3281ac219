// Guards of another folder of the account: what guards an account is a property of the account, whichever folder is applied.
import { execFileSync } from 'node:child_process';
import { describe, expect, test, vi } from 'vitest';
import { environmentOf, meshform } from '../../support/cli.ts';
import { git } from '../../support/git.ts';
import { someOf } from '../../support/variations.ts';
import { expectCode, type Teams, teams } from './teams.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 60_000 });

const NETWORK = `groups: [{ name: staff }, { name: gateways }, { name: vault }]
networks:
  - name: prod
    resources: [{ name: db, address: 10.20.0.5, groups: [vault] }]
    routers: [{ peer_groups: [gateways], metric: 100, masquerade: true }]
`;
const DB = 'network_resource/prod/db';
const OPEN = `policies:
  - { name: pg, rules: [{ name: pg, sources: [staff], destinations: [vault], protocol: tcp, ports: ["5432"] }] }
`;
const DENY = `access_tests: [{ name: nobody, from: group/staff, deny: [${DB}] }]\n`;

/** Two lines and two facts, neither in the order of a base. */
const MANY = (ports: string) => `access_tests:
  - { name: nobody, from: group/staff, deny: ["${DB}:${ports}", ${DB}], with: { version: 0.60.0, os: linux } }
  - { name: gateways, from: group/gateways, deny: [${DB}] }
`;
const failedLines = (output: string) =>
  [...output.matchAll(/(deny: \S+) is reached/g)].map(([, line]) => line).sort();

const CHECK = `posture_checks:
  - { name: c, lifecycle: { LIFE: true }, checks: { nb_version_check: { min_version: 0.60.0 } } }
`;

const RULES =
  'rules: [{ name: a, sources: [staff], destinations: [vault], protocol: tcp, ports: ["5432"] }]';
const OWN = `policies: [{ name: open, ${RULES} }]\n`;

interface Guarded {
  /** What netops has in its project file. */
  readonly project?: string;
  /** What netops declares besides its network. */
  readonly more?: string;
}

/** An account that is in use, with the folders netops, which was applied, and appteam, which was not. */
const account = (
  { project = '', more = '' }: Guarded,
  story: (all: Teams & { want: (text: string) => Promise<void> }) => Promise<void>,
) =>
  teams(async all => {
    const { id, commit, apply, account: server } = all;
    await server.call('POST', '/api/groups', { name: 'legacy' });
    await server.enrol('mia', []);
    for (const { id: policy } of (await server.call('GET', '/api/policies')) as { id: string }[])
      await server.call('DELETE', `/api/policies/${policy}`);
    await commit({
      'netops/meshform.yaml': `account: ${id}\nname: netops\n${project}`,
      'netops/network.yaml': NETWORK + more,
    });
    expectCode(await apply('netops'), 0);
    const want = (text: string) =>
      commit({ 'appteam/meshform.yaml': `account: ${id}\n`, 'appteam/a.yaml': text });
    await story({ ...all, want });
  });

const APPLY = ['apply', 'appteam', '--yes', '--allow', 'DELETES_OBJECT'];
const GONE = 'groups: [{ name: legacy, lifecycle: { delete: true } }]\n';
const NOTE = 'the guards of other folders of the account count too: `netops` (';

describe.concurrent('a guard of another folder', () => {
  test('protects objects that neither folder declares', () =>
    account({ project: 'protect: [group/legacy]\n' }, async ({ want, run, names }) => {
      await want(GONE);
      for (const flags of [[], ['--base', 'auto', '--record-base', '--first']]) {
        const refused = await run([...APPLY, ...flags]);
        expectCode(refused, 6);
        expect(refused.stderr).toContain('GUARDS_ELSEWHERE');
        expect(refused.stderr).toContain(NOTE);
        expect(refused.stderr).toContain('group.legacy is protected by `netops`');
        expect(refused.stderr).toContain('remove `group/legacy` from what `netops` protects');
        expect(refused.stderr).not.toContain('LOOSENS_GUARDS');
      }
      await want('groups: [{ name: a }]\n');
      expectCode(await run([...APPLY, '--prune', 'unmanaged']), 6);
      expect(await names('/api/groups')).toContain('legacy');
    }));

  test('protects objects that were renamed in the account', { tags: 'variation' }, () =>
    account({ project: 'protect: [group/vault]\n' }, async ({ want, run, account: server }) => {
      const groups = (await server.call('GET', '/api/groups')) as { id: string; name: string }[];
      const id = groups.find(({ name }) => name === 'vault')?.id;
      await server.call('PUT', `/api/groups/${id}`, { name: 'tresor', peers: [] });
      await want('groups: [{ name: tresor, lifecycle: { delete: true } }]\n');
      const refused = await run(APPLY);
      expectCode(refused, 6);
      expect(refused.stderr).toContain('PROTECTED');
    }),
  );

  test('protects objects with lifecycle.protect there', { tags: 'variation' }, () =>
    account({ more: CHECK.replace('LIFE', 'protect') }, async ({ id, want, run, commit }) => {
      // Its files no longer have it, and its base does.
      await commit({
        'netops/meshform.yaml': `account: ${id}\nname: netops\n`,
        'netops/network.yaml': NETWORK,
      });
      await want(CHECK.replace('LIFE', 'delete'));
      const refused = await run(APPLY);
      expectCode(refused, 6);
      expect(refused.stderr).toContain('PROTECTED');
    }),
  );

  test.each(
    someOf(
      [
        ['a guarded target', { project: `guarded: [${DB}]\n` }, 'WIDENS_GUARDED_ACCESS'],
        ['a limit of access', { project: 'access_thresholds: { gained: 0 }\n' }, 'WIDENS_ACCESS'],
        ['an access test', { more: DENY }, '1 access test failed'],
      ],
      1,
    ),
  )('applies to a run of this folder for %s, by its base and by its files', (_, guarded, found) =>
    account(guarded, async ({ id, cwd, want, run, names }) => {
      await want(`groups: [{ name: staff, peers: [mia] }]\n${OPEN}`);
      const planned = await run(['plan', 'appteam']);
      expect(planned.stderr).toContain(NOTE);
      const refused = await run(APPLY);
      expectCode(refused, 6);
      expect(refused.stderr).toContain(found);
      git(cwd, 'update-ref', '-d', `refs/meshform-base/${id}/netops`);
      const byFiles = await run(APPLY);
      expectCode(byFiles, 6);
      expect(byFiles.stderr).toContain(found);
      expect(await names('/api/policies')).toEqual([]);
    }),
  );

  test(
    'is reported once for each failed test line of its base or its files',
    { tags: 'variation' },
    () =>
      account({ more: MANY('tcp/5432') }, async ({ id, want, run, commit }) => {
        await want(`groups: [{ name: staff, peers: [mia] }]\n${OPEN}`);
        const asBefore = await run(APPLY);
        expectCode(asBefore, 6);
        expect(failedLines(asBefore.stdout)).toEqual([`deny: ${DB}`, `deny: ${DB}:tcp/5432`]);
        expect(asBefore.stderr).toContain('access_tests 2)');
        await commit({
          'netops/meshform.yaml': `account: ${id}\nname: netops\n`,
          'netops/network.yaml': NETWORK + MANY('tcp/5430-5440'),
        });
        expect(failedLines((await run(APPLY)).stdout)).toEqual([
          `deny: ${DB}`,
          `deny: ${DB}:tcp/5430-5440`,
          `deny: ${DB}:tcp/5432`,
        ]);
      }),
  );

  test('applies to a folder that does not name its account', { tags: 'variation' }, () =>
    account({ project: 'protect: [group/legacy]\n' }, async ({ commit, run, names }) => {
      await commit({ 'appteam/meshform.yaml': 'name: appteam\n', 'appteam/a.yaml': GONE });
      const refused = await run(APPLY);
      expectCode(refused, 6);
      expect(refused.stderr).toContain(NOTE);
      expect(refused.stderr).toContain('group.legacy is protected by `netops`');
      expect((await run(['plan', 'appteam'])).stderr).toContain(NOTE);
      expect(await names('/api/groups')).toContain('legacy');
    }),
  );

  test(
    'still applies by its base if its own files remove it in the same change, signed or not',
    { tags: 'variation' },
    () =>
      account({ project: `guarded: [${DB}]\n` }, async ({ id, cwd, want, run, commit }) => {
        await commit({ 'netops/meshform.yaml': `account: ${id}\nname: netops\n` });
        await want(`groups: [{ name: staff, peers: [mia] }]\n${OPEN}`);
        const other = { MESHFORM_SIGNING_KEY: 'a key that has signed nothing, 32 bytes or more' };
        for (const env of [{}, other]) {
          const refused = await run(APPLY, env);
          expectCode(refused, 6);
          expect(refused.stderr).toContain('WIDENS_GUARDED_ACCESS');
        }
        const allowed = await run([...APPLY, '--allow', `WIDENS_GUARDED_ACCESS=${DB}`]);
        expectCode(allowed, 0);
        expect(git(cwd, 'for-each-ref').includes(id)).toBe(true);
      }),
  );

  test('applies to a saved plan as well', { tags: 'variation' }, () =>
    account({ project: `guarded: [${DB}]\n` }, async ({ want, run }) => {
      await want(`groups: [{ name: staff, peers: [mia] }]\n${OPEN}`);
      expectCode(await run(['plan', 'appteam', '--out', 'plan.json']), 0);
      const refused = await run(['apply', 'plan.json', '--yes']);
      expectCode(refused, 6);
      expect(refused.stderr).toContain('WIDENS_GUARDED_ACCESS');
    }),
  );

  test(
    'is not recorded as a guard of this folder, and cannot be loosened here',
    { tags: 'variation' },
    () =>
      account({ project: 'protect: [group/legacy]\n' }, async ({ want, run, apply }) => {
        await want('groups: [{ name: a }]\n');
        expectCode(await apply('appteam', ['--first']), 0);
        const shown = await run(['base', 'show', 'appteam', '--format', 'json']);
        expect(shown.stdout).toContain('"folder"');
        expect(shown.stdout).not.toContain('legacy');
        await want('groups: [{ name: b }]\n');
        expect((await run(['plan', 'appteam', '--base', 'auto'])).stderr).not.toContain('LOOSENED');
      }),
  );

  test(
    'a guard of another folder that names no object, or cannot be read, does not stop other folders',
    { tags: 'variation' },
    () =>
      account({}, async ({ id, cwd, want, run, commit }) => {
        const project = 'protect: [group/none]\nguarded: [group/none, peer/nobody]\n';
        await commit({ 'netops/meshform.yaml': `account: ${id}\nname: netops\n${project}` });
        const own = git(cwd, 'show', `refs/meshform-base/${id}/netops:base.json`);
        const guards = { guarded: [{ to: 'nonsense' }] };
        write(cwd, `refs/meshform-base/${id}/x`, {
          ...JSON.parse(own),
          folder: 'x',
          name: 'x',
          guards,
        });
        await want('groups: [{ name: a }]\n');
        const applied = await run(APPLY);
        expectCode(applied, 0);
        expect(applied.stderr).not.toContain('nonsense');
        expectCode(await run(['drift', 'appteam']), 0);
      }),
  );

  test('does not apply if it is of another account', { tags: 'variation' }, () =>
    account({}, async ({ want, run, commit }) => {
      await commit({
        'else/meshform.yaml': 'account: another\nprotect: [group/legacy]\n',
        'else/a.yaml': 'groups: [{ name: e }]\n',
      });
      await want(GONE);
      const applied = await run(APPLY);
      expectCode(applied, 0);
      expect(applied.stderr).not.toContain('guards of other folders');
    }),
  );

  test(
    'protects its objects from an expiry in the files of this folder',
    { tags: 'variation' },
    () =>
      account({ more: OWN }, async ({ want, cwd, account: server, names }) => {
        const listed = (await server.call('GET', '/api/policies')) as { id: string }[];
        await want(
          `policies: [{ name: harmless, lifecycle: { id: ${listed[0]?.id}, until: 2020-01-01 }, ${RULES} }]\n`,
        );
        const env = environmentOf(server);
        // Ends need the clock of the server.
        const now = Date.now();
        const refused = await meshform(['expire', 'appteam', '--yes'], { env, cwd, now });
        expectCode(refused, 3);
        expect(refused.stderr).toContain(
          'policy.harmless would be policy.open, which `netops` declares',
        );
        expect(await names('/api/policies')).toEqual(['open']);
      }),
  );
});

function write(cwd: string, ref: string, document: unknown): void {
  const put = (input: string, ...args: readonly string[]) =>
    execFileSync('git', ['-C', cwd, ...args], { input, encoding: 'utf8' }).trim();
  const blob = put(JSON.stringify(document), 'hash-object', '-w', '--stdin');
  const tree = put(`100644 blob ${blob}\tbase.json\n`, 'mktree');
  git(cwd, 'update-ref', ref, git(cwd, 'commit-tree', '-m', 'forged', tree).trim());
}
