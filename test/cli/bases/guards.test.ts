// Guards as they were last applied: what the same change of the files removes or loosens still counts.
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { git } from '../../support/git.ts';
import { applied, NETWORK } from './appliedFiles.ts';
import { expectCode, type Teams, teams } from './teams.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 60_000 });

const OPEN = `policies:
  - { name: pg, rules: [{ name: pg, sources: [staff], destinations: [vault], protocol: tcp, ports: ["5432"] }] }
`;
const DB = 'network_resource/prod/db';
const DENY = `access_tests: [{ name: nobody, from: group/staff, deny: [${DB}] }]\n`;

const VAULT =
  'groups: [{ name: staff }, { name: vault }]\naccess_tests: [{ name: nobody, from: group/staff, deny: [group/vault] }]\n';

async function renamedByHand(account: Teams['account'], was: string, is: string): Promise<void> {
  const groups = (await account.call('GET', '/api/groups')) as { id: string; name: string }[];
  const id = groups.find(({ name }) => name === was)?.id;
  await account.call('PUT', `/api/groups/${id}`, { name: is, peers: [] });
}

test.concurrent(
  'a plan that reverts a manual change does not violate the guards',
  { tags: 'variation' },
  () =>
    applied(
      { project: `guarded: [${DB}]\n`, network: NETWORK + DENY },
      async ({ change, apply, account, run }) => {
        const at = async (path: string) => (await account.call('GET', path)) as { id: string }[];
        const [network] = await at('/api/networks');
        const path = `/api/networks/${network?.id}/resources`;
        const [db] = (await at(path)) as { id: string; groups: { id: string }[] }[];
        const groups = db?.groups.map(({ id }) => id) ?? [];
        const moved = { name: 'db', address: '10.9.9.9/32', enabled: true, groups };
        await account.call('PUT', `${path}/${db?.id}`, moved);
        const planned = await run(['plan', 'net', '--base', 'auto']);
        expect(planned.stdout + planned.stderr).not.toMatch(/SHRINKS|EMPTIES/);
        // What the files change counts, also beside a repair.
        await change({ network: (NETWORK + DENY).replace('10.20.0.5', '10.20.0.7') });
        const refused = await apply('net');
        expectCode(refused, 6);
        expect(refused.stderr).toContain('SHRINKS_GUARDED_TARGET');
        await change({ network: NETWORK + DENY });
        expectCode(await apply('net'), 0);
      },
    ),
);

test.concurrent(
  'a change of a revision that was never applied is not treated as a repair',
  { tags: 'variation' },
  () =>
    applied({ project: `guarded: [${DB}]\n` }, async ({ change, apply, run, cwd }) => {
      const moved = NETWORK.replace('10.20.0.5', '10.20.0.7');
      await change({ network: moved });
      expectCode(await apply('net'), 6);
      // It is merged all the same, and the next change is compared with it.
      await change({ network: `${moved}# reviewed\n` });
      const refused = await run(['apply', 'net', '--base', 'HEAD~', '--yes']);
      expectCode(refused, 6);
      expect(refused.stderr).toContain('SHRINKS_GUARDED_TARGET');
      expect(refused.stderr).toContain('no record shows that the base was applied');
      const recording = await run(['apply', 'net', '--base', 'HEAD~', '--record-base', '--yes']);
      expectCode(recording, 6);
      expect(recording.stderr).toContain('SHRINKS_GUARDED_TARGET');
      execFileSync('cp', ['-r', 'net', 'before'], { cwd });
      const fromFolder = await run(['apply', 'net', '--base', './before', '--yes']);
      expectCode(fromFolder, 6);
      expect(fromFolder.stderr).toContain('SHRINKS_GUARDED_TARGET');
      const flag = `SHRINKS_GUARDED_TARGET=${DB}`;
      expectCode(await run(['apply', 'net', '--base', 'HEAD~', '--yes', '--allow', flag]), 0);
    }),
);

describe.concurrent('one change that removes a guard and violates it', () => {
  test('is refused: a guarded target is opened', () =>
    applied({ project: `guarded: [${DB}]\n` }, async ({ change, apply, names }) => {
      await change({ project: '', network: NETWORK + OPEN });
      const refused = await apply('net');
      expectCode(refused, 6);
      expect(refused.stderr).toContain(`WIDENS_GUARDED_ACCESS`);
      expect(refused.stderr).toContain(`guarded ${DB} is removed`);
      expect(await names('/api/policies')).not.toContain('pg');
      expectCode(await apply('net', ['--allow', `LOOSENS_GUARDS=${DB}`]), 0);
    }));

  test('is refused: what a removed or changed access test forbade', () =>
    applied({ network: NETWORK + DENY }, async ({ change, apply }) => {
      for (const tests of ['', DENY.replace(DB, `${DB}:tcp/22`)]) {
        await change({ network: NETWORK + OPEN + tests });
        const refused = await apply('net');
        expectCode(refused, 6);
        expect(refused.stderr).toContain('1 access test failed');
        expect(refused.stderr).toContain('--allow LOOSENS_GUARDS=nobody');
        expect(refused.stdout.replaceAll(/\s+/g, ' ')).toContain('as it was last applied');
      }
      expectCode(await apply('net', ['--allow', 'LOOSENS_GUARDS']), 0);
    }));

  test('is refused: a protected object is deleted', () =>
    applied(
      {
        project: 'protect: [group/vault, group/staff]\n',
        network: 'groups: [{ name: vault }, { name: staff, lifecycle: { protect: true } }]\n',
      },
      async ({ change, apply, names }) => {
        await change({ project: '', network: 'groups: [{ name: other }]\n' });
        const refused = await apply('net');
        expectCode(refused, 6);
        expect(refused.stderr).toContain('group.vault is protected as the files were last applied');
        expect(refused.stderr).toContain('--allow LOOSENS_GUARDS=group/vault');
        const staff = await apply('net', ['--allow', 'LOOSENS_GUARDS=group/vault']);
        expectCode(staff, 6);
        expect(staff.stderr).toContain('group.staff is protected as the files were last applied');
        expect(staff.stderr).not.toContain('group.vault is protected');
        const flags = [
          '--allow',
          'LOOSENS_GUARDS=group/staff',
          '--allow',
          'LOOSENS_GUARDS=group/vault',
        ];
        expectCode(await apply('net', flags), 0);
        expect(await names('/api/groups')).toEqual(['All', 'in use', 'other']);
      },
    ));

  test(
    'is refused: an object without its lifecycle.protect, marked for deletion',
    { tags: 'variation' },
    () =>
      applied(
        { project: '', network: 'groups: [{ name: vault, lifecycle: { protect: true } }]\n' },
        async ({ change, apply }) => {
          await change({ network: 'groups: [{ name: vault, lifecycle: { delete: true } }]\n' });
          const refused = await apply('net');
          expectCode(refused, 6);
          expect(refused.stderr).toContain('PROTECTED');
          expect(refused.stderr).toContain('lifecycle.protect group/vault is removed');
          await change({ network: 'groups: [{ name: vault }]\n' });
          expectCode(await apply('net'), 0);
          await change({ network: 'groups: [{ name: vault, lifecycle: { delete: true } }]\n' });
          expectCode(await apply('net'), 0);
        },
      ),
  );

  test(
    'is refused if it exceeds the former limit of deletions, or has hazards that the files did not accept before',
    { tags: 'variation' },
    () =>
      applied(
        {
          project: 'thresholds: { default: { deletes: 0 } }\n',
          network: 'groups: [{ name: a }, { name: b }]\n',
        },
        async ({ change, run }) => {
          await change({
            project: 'thresholds: { default: { deletes: 5 } }\nallow: [DELETES_OBJECT]\n',
            network: 'groups: [{ name: a }]\n',
          });
          const words = [
            'apply',
            'net',
            '--prune',
            'removed',
            '--base',
            'auto',
            '--record-base',
            '--yes',
          ];
          const refused = await run(words);
          expectCode(refused, 6);
          expect(refused.stderr).toMatch(
            /OVER_THRESHOLD .* DELETES_OBJECT|DELETES_OBJECT .* OVER_THRESHOLD/,
          );
          expect(refused.stderr).toContain('thresholds.default was deletes 0, is deletes 5');
          expect(refused.stderr).toContain('allow DELETES_OBJECT is added');
          const one = await run([...words, '--allow', 'LOOSENS_GUARDS=DELETES_OBJECT']);
          expectCode(one, 6);
          expect(one.stderr).not.toContain('DELETES_OBJECT group');
          expectCode(await run([...words, '--allow', 'LOOSENS_GUARDS']), 0);
        },
      ),
  );

  test('is refused: more access than the former threshold', () =>
    applied({ project: 'access_thresholds: { gained: 0 }\n' }, async ({ change, apply }) => {
      await change({ project: 'access_thresholds: { gained: 100 }\n', network: NETWORK + OPEN });
      const refused = await apply('net');
      expectCode(refused, 6);
      expect(refused.stderr).toContain('WIDENS_ACCESS');
      expect(refused.stderr).toContain('access_thresholds.gained was 0, is 100');
      expectCode(await apply('net', ['--allow', 'LOOSENS_GUARDS=access_thresholds.gained']), 0);
    }));
});

describe.concurrent('a change that only loosens guards', () => {
  const project = `protect: [group/vault]\nguarded: [${DB}]\naccess_thresholds: { gained: 3 }\n`;
  const LOOSENED = [
    'protect group/vault is removed',
    `guarded ${DB} is removed`,
    'access_tests nobody is removed',
    'access_thresholds.gained was 3, is removed',
  ];

  test('is applied, reported in every format, and takes effect from then on', () =>
    applied({ project, network: NETWORK + DENY }, async ({ change, apply, run }) => {
      await change({ project: '', network: NETWORK });
      for (const format of ['text', 'json', 'markdown', 'comment']) {
        const { code, stdout, stderr } = await run([
          'plan',
          'net',
          '--base',
          'auto',
          '--format',
          format,
        ]);
        expect(code, stderr).toBe(0);
        expect(stderr).toContain('warning GUARDS_LOOSENED');
        for (const text of LOOSENED) {
          expect(stderr).toContain(text);
          if (format !== 'json') expect(stdout.replaceAll(/\s+/g, ' ')).toContain(text);
        }
        if (format !== 'json') continue;
        const { loosened_guards: guards } = JSON.parse(stdout).meshform;
        expect(guards).toMatchObject([
          { guard: 'protect', name: 'group/vault' },
          { guard: 'guarded', name: DB },
          { guard: 'access_tests', name: 'nobody' },
          { guard: 'access_thresholds', name: 'access_thresholds.gained' },
        ]);
      }
      expectCode(await apply('net'), 0);
      await change({ network: NETWORK + OPEN });
      const opened = await apply('net');
      expectCode(opened, 0);
      expect(opened.stderr).not.toContain('GUARDS_LOOSENED');
    }));

  test(
    'is reported with its place in the revision or folder of the base, and access that it opens is refused',
    { tags: 'variation' },
    () =>
      applied({ project, network: NETWORK + DENY }, async ({ change, run, cwd, head }) => {
        const before = head();
        git(cwd, 'worktree', 'add', '--quiet', '.git/before', before);
        await change({ project: '', network: NETWORK + OPEN });
        for (const [base, place] of [
          [before, `${before}:net/meshform.yaml:2:11`],
          ['.git/before/net', '.git/before/net/meshform.yaml:2:11'],
        ] as const) {
          const planned = await run(['plan', 'net', '--base', base]);
          expectCode(planned, 6);
          expect(planned.stdout.replaceAll(/\s+/g, '')).toContain(`group/vaultisremoved(${place})`);
          const refused = await run(['apply', 'net', '--base', base, '--no-tests', '--yes']);
          expectCode(refused, 6);
          expect(refused.stderr).toContain('WIDENS_GUARDED_ACCESS');
        }
        expectCode(await run(['apply', 'net', '--yes']), 0);
      }),
  );

  test(
    'is not reported if files and base agree, or a guard follows a new name',
    { tags: 'variation' },
    () =>
      applied(
        {
          project: `protect: [group/vault]\nguarded: [group/vault, ${DB}]\n`,
          network: `${NETWORK}access_tests: [{ name: nobody, from: group/staff, deny: [group/vault, ${DB}] }]\n`,
        },
        async ({ change, run, apply }) => {
          const same = await run(['plan', 'net', '--base', 'auto']);
          expect(same.stderr).not.toContain('GUARDS_LOOSENED');
          const named = NETWORK.replaceAll('vault', 'safe').replace(
            '{ name: safe }',
            '{ name: safe, lifecycle: { was: vault } }',
          );
          await change({
            project: `protect: [group/safe]\nguarded: [group/safe, ${DB}]\n`,
            network: `${named}access_tests: [{ name: nobody else, from: group/staff, deny: [group/safe, ${DB}] }]\n`,
          });
          const renamed = await apply('net');
          expectCode(renamed, 0);
          expect(renamed.stderr).not.toContain('GUARDS_LOOSENED');
        },
      ),
  );

  test(
    'is not reported if somebody renamed the object in the account, and the files give it another name',
    { tags: 'variation' },
    () =>
      applied({ project: `guarded: [group/vault]\n`, network: VAULT }, async all => {
        const { change, apply, account } = all;
        await renamedByHand(account, 'vault', 'by-hand');
        await change({
          project: 'guarded: [group/safe]\n',
          network: VAULT.replace(
            '{ name: vault }',
            '{ name: safe, lifecycle: { was: vault } }',
          ).replace('group/vault', 'group/safe'),
        });
        const renamed = await apply('net', ['--resolve', 'desired']);
        expect(renamed.stderr).not.toContain('GUARDS_LOOSENED');
        expectCode(renamed, 0);
      }),
  );

  test('is in a saved plan, which is held to the former guards', { tags: 'variation' }, () =>
    applied({ project: `guarded: [${DB}]\n` }, async ({ change, run }) => {
      await change({ project: '', network: NETWORK + OPEN });
      const saved = ['plan', 'net', '--base', 'auto', '--record-base', '--out', '.git/plan.json'];
      expectCode(await run(saved), 0);
      const shown = await run(['show', '.git/plan.json']);
      expect(shown.stdout).toContain(`guarded ${DB} is removed`);
      const refused = await run(['apply', '.git/plan.json', '--record-base', '--yes']);
      expectCode(refused, 6);
      expect(refused.stderr).toContain(`WIDENS_GUARDED_ACCESS=${DB}`);
    }),
  );
});

test.concurrent('the file that loosens the guards cannot accept a hazard', () =>
  applied({ project: `guarded: [${DB}]\n` }, async ({ change, apply }) => {
    await change({ project: 'allow: [LOOSENS_GUARDS]\n', network: NETWORK + OPEN });
    expectCode(await apply('net'), 6);
    await change({ project: '', network: NETWORK + OPEN });
    const wrong = await apply('net', ['--allow', 'LOOSENS_GUARDS=group/vaults']);
    expectCode(wrong, 6);
    expect(wrong.stderr).toContain('is not a guard that the files loosen');
  }));

test.concurrent('access tests count even if the change excludes their files', () =>
  applied({ network: NETWORK }, async ({ change, apply, commit, run, head }) => {
    await commit({ 'net/tests.yaml': DENY });
    expectCode(await apply('net'), 0);
    const before = head();
    await change({ project: 'exclude: [tests.yaml]\n', network: NETWORK + OPEN });
    expectCode(await apply('net'), 6);
    expectCode(await run(['apply', 'net', '--base', before, '--yes']), 6);
    expectCode(await run(['apply', 'net', '--yes']), 0);
  }));

test.concurrent('guards of files above the folder count too', { tags: 'variation' }, () =>
  applied({ network: NETWORK }, async ({ change, apply, commit, run, head }) => {
    await commit({ 'meshform.yaml': `guarded: [${DB}]\n` });
    expectCode(await apply('net'), 0);
    const before = head();
    await commit({ 'meshform.yaml': null });
    await change({ network: NETWORK + OPEN });
    expectCode(await apply('net'), 6);
    expectCode(await run(['apply', 'net', '--base', before, '--yes']), 6);
  }),
);

test.concurrent(
  'faults in the guards of a base are errors, and faults in its other settings are not',
  { tags: 'variation' },
  () =>
    applied({ network: NETWORK }, async ({ change, run, head }) => {
      const at = async (project: string) => {
        await change({ project });
        const broken = head();
        await change({ project: '' });
        return run(['plan', 'net', '--base', broken]);
      };
      for (const project of ['guarded: group/vault\n', 'guarded: [vault!]\n', '- protect\n']) {
        const refused = await at(project);
        expectCode(refused, 3);
        expect(refused.stderr).toContain('BASE_INVALID');
      }
      expectCode(await at('colour: blue\nrate: [1]\n'), 0);
    }),
);

test.concurrent('a base without guards enforces none, and says so', { tags: 'variation' }, () =>
  applied({ project: `guarded: [${DB}]\n` }, async ({ change, run, cwd, id }) => {
    const ref = `refs/meshform-base/${id}/net`;
    const { guards, ...older } = JSON.parse(git(cwd, 'show', `${ref}:base.json`));
    expect(guards).toEqual({ guarded: [{ to: DB }] });
    await writeFile(
      join(cwd, '.git/base.json'),
      JSON.stringify({ ...older, format_version: '1.0' }),
    );
    const blob = git(cwd, 'hash-object', '-w', '.git/base.json').trim();
    const tree = execFileSync('git', ['-C', cwd, 'mktree'], {
      input: `100644 blob ${blob}\tbase.json\n`,
      encoding: 'utf8',
    }).trim();
    const commit = git(cwd, 'commit-tree', tree, '-p', `${ref}^1`, '-m', 'older').trim();
    git(cwd, 'update-ref', ref, commit);
    await change({ project: '' });
    const planned = await run(['plan', 'net', '--base', 'auto']);
    expectCode(planned, 0);
    expect(planned.stderr).toContain('note BASE_WITHOUT_GUARDS');
    expect(planned.stderr).not.toContain('GUARDS_LOOSENED');
  }),
);

test.concurrent(
  'a folder that takes over a base keeps the guards of both',
  { tags: 'variation' },
  () =>
    teams(async ({ id, apply, commit, run, cwd }) => {
      const folder = (name: string, project: string) => ({
        [`${name}/meshform.yaml`]: `account: ${id}\n${project}`,
        [`${name}/groups.yaml`]: `groups: [{ name: ${name} }]\n`,
      });
      await commit({
        ...folder('net', 'protect: [group/net]\n'),
        ...folder('old', 'protect: [group/old]\nallow: [GAP]\n'),
      });
      expectCode(await apply('net'), 0);
      expectCode(await apply('old', ['--first']), 0);
      await commit({ 'old/meshform.yaml': null, 'old/groups.yaml': null });
      expectCode(await run(['base', 'adopt', 'old', 'net', '--yes']), 0);
      const { guards } = JSON.parse(git(cwd, 'show', `refs/meshform-base/${id}/net:base.json`));
      expect(guards).toMatchObject({ protect: ['group/net', 'group/old'] });
      const refused = await apply('net');
      expectCode(refused, 6);
      expect(refused.stderr).toContain('group.old is protected as the files were last applied');
    }),
);

test.concurrent(
  'a resumed run accepts no hazard that the files allow only since the run',
  { tags: 'variation' },
  () =>
    applied(
      { network: 'groups: [{ name: a }, { name: b }]\n' },
      async ({ account, change, run, names }) => {
        await change({ network: 'groups: [{ name: a }]\n' });
        const words = ['--prune', 'removed', '--base', 'auto', '--record-base'];
        await account.fault({
          method: 'DELETE',
          path: '/api/groups/*',
          effect: 'status',
          status: 422,
        });
        const cut = await run(['apply', 'net', ...words, '--allow', 'DELETES_OBJECT', '--yes']);
        expectCode(cut, 4);
        await change({ project: 'allow: [DELETES_OBJECT]\n' });
        const refused = await run(['apply', 'net', '--resume', '--yes']);
        expectCode(refused, 6);
        expect(refused.stderr).toContain('DELETES_OBJECT');
        expect(await names('/api/groups')).toContain('b');
      },
    ),
);
