// What one layer guards, no other one loosens, and a commit that takes a layer away does not take away its guards.
import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { git } from '../../support/git.ts';
import { someOf } from '../../support/variations.ts';
import { expectCode, PRUNE, type Teams, teams } from '../bases/teams.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 60_000 });

const LIST = 'layers: [../base, .]\n';
const BASE = 'groups: [{ name: staff }, { name: vault }]\n';
const PROD = 'groups: [{ name: on-call }]\n';
const APPLY = ['--yes', '--base', 'auto', '--record-base'];

/** An account in use, whose files are the layers base and prod. */
const layered = (
  {
    base = {},
    prod = LIST,
  }: { readonly base?: Readonly<Record<string, string>>; readonly prod?: string },
  story: (all: Teams & { readonly project: string }) => Promise<void>,
) =>
  teams(async all => {
    const project = `account: ${all.id}\n${prod}`;
    await all.commit({
      'base/groups.yaml': BASE,
      ...base,
      'prod/groups.yaml': PROD,
      'prod/meshform.yaml': project,
    });
    await all.account.call('POST', '/api/groups', { name: 'legacy' });
    const policies = (await all.account.call('GET', '/api/policies')) as { id: string }[];
    for (const { id } of policies) await all.account.call('DELETE', `/api/policies/${id}`);
    expectCode(await all.run(['apply', 'prod', ...APPLY]), 0);
    await story({ ...all, project });
  });

const GONE = 'groups: [{ name: legacy, lifecycle: { delete: true } }, { name: on-call }]\n';

describe.concurrent('the guards of layers', () => {
  test('are joined: the last layer does not delete what the first protects', () =>
    layered(
      { base: { 'base/meshform.yaml': 'protect: [group/legacy]\n' } },
      async ({ run, commit, names }) => {
        await commit({ 'prod/groups.yaml': GONE });
        const refused = await run(['apply', 'prod', ...APPLY, '--allow', 'DELETES_OBJECT']);
        expectCode(refused, 6);
        expect(refused.stderr).toContain('PROTECTED');
        expect(await names('/api/groups')).toContain('legacy');
      },
    ));

  test('use the smallest limit of all layers', () =>
    layered(
      {
        base: { 'base/meshform.yaml': 'thresholds: { groups: { deletes: 0 } }\n' },
        prod: `${LIST}thresholds: { default: { share: 1 }, groups: { deletes: 9 } }\n`,
      },
      async ({ run, commit }) => {
        await commit({ 'prod/groups.yaml': GONE });
        const refused = await run(['plan', 'prod', '--base', 'auto']);
        expect(refused.stdout).toContain('OVER_THRESHOLD');
      },
    ));

  test('cannot be loosened by a larger limit in the first layer', { tags: 'variation' }, () =>
    layered(
      { base: { 'base/meshform.yaml': 'thresholds: { default: { share: 1 } }\n' } },
      async ({ run, commit, account }) => {
        for (let i = 0; i < 9; i++) await account.call('POST', '/api/groups', { name: `old-${i}` });
        const gone = Array.from(
          { length: 9 },
          (_, i) => `{ name: old-${i}, lifecycle: { delete: true } }`,
        );
        await commit({ 'prod/groups.yaml': `groups: [{ name: on-call }, ${gone.join(', ')}]\n` });
        expect((await run(['plan', 'prod'])).stdout).toContain('OVER_THRESHOLD');
      },
    ),
  );

  test('use the strictest grant limits: the shortest time, and every side', () =>
    layered(
      {
        base: { 'base/meshform.yaml': 'grants: { max: 1h, from: [group/staff] }\n' },
        prod: `${LIST}grants: { max: 8h, to: ["group/vault:tcp/22"] }\n`,
      },
      async ({ run, commit }) => {
        const until = new Date(Date.now() + 2 * 3_600_000).toISOString();
        const sides = 'sources: [on-call], destinations: [vault], protocol: tcp, ports: ["22"]';
        await commit({
          'prod/grants/g.yaml': `policies: [{ name: g, lifecycle: { until: "${until}" }, rules: [{ name: a, ${sides} }] }]\n`,
        });
        const { code, stdout } = await run(['validate', 'prod']);
        expect(code).toBe(3);
        expect(stdout).toContain('`grants.max` allows only 1h');
        expect(stdout).toContain('`grants.from` does not allow');
        expect(stdout).not.toContain('grants.to');
      },
    ));

  test('use `allow` of the last layer only', { tags: 'variation' }, () =>
    layered(
      { base: { 'base/meshform.yaml': 'allow: [DELETES_OBJECT]\n' } },
      async ({ run, commit }) => {
        await commit({ 'prod/groups.yaml': GONE });
        expectCode(await run(['apply', 'prod', ...APPLY]), 6);
      },
    ),
  );

  test('include the access tests of all layers', () =>
    layered(
      {
        base: {
          'base/tests.yaml':
            'access_tests: [{ name: nobody, from: group/staff, deny: [group/vault:tcp/22] }]\n',
        },
      },
      async ({ run, commit }) => {
        await commit({
          'prod/open.yaml':
            'policies: [{ name: p, rules: [{ name: r, sources: [staff], destinations: [vault], protocol: tcp, ports: ["22"] }] }]\n',
        });
        expectCode(await run(['test', 'prod']), 6);
        expectCode(await run(['apply', 'prod', ...APPLY]), 6);
      },
    ));
});

const GUARDED = {
  'guards/meshform.yaml': 'protect: [group/vault]\n',
  'guards/tests.yaml': 'access_tests: [{ name: nobody, from: group/staff, deny: [group/vault] }]\n',
};
const OPEN = `policies:
  - { name: p, rules: [{ name: r, sources: [staff], destinations: [vault], protocol: all }] }
`;
const BOTH = 'layers: [../base, ../guards, .]\n';

describe.concurrent('a layer that a commit removes', () => {
  // The list, the folder, and the folder with a link in its place.
  const ways = {
    'from the list': async ({ commit, id }: Teams) =>
      commit({ 'prod/meshform.yaml': `account: ${id}\n${LIST}` }),
    'with its folder': async ({ commit, id }: Teams) =>
      commit({
        'prod/meshform.yaml': `account: ${id}\n${LIST}`,
        'guards/meshform.yaml': null,
        'guards/tests.yaml': null,
      }),
    'by a link in its place': async ({ commit, cwd }: Teams) => {
      await rm(join(cwd, 'guards'), { recursive: true });
      await symlink('other', join(cwd, 'guards'));
      await commit({
        'other/a.yaml': 'access_tests: [{ name: all, from: group/staff, deny: [group/staff] }]\n',
      });
    },
    'by a list of itself': async ({ commit, id }: Teams) =>
      commit({
        'prod/meshform.yaml': `account: ${id}\nlayers: [.]\n`,
        'prod/base.yaml': BASE,
        'base/groups.yaml': null,
      }),
  };

  for (const [name, take] of Object.entries(ways))
    for (const base of ['auto', 'HEAD^'])
      test(`still enforces its guards if it is removed ${name}, with --base ${base}`, () =>
        layered({ base: GUARDED, prod: BOTH }, async all => {
          await take(all);
          await all.commit({ 'prod/open.yaml': OPEN });
          const refused = await all.run([
            'apply',
            'prod',
            '--yes',
            '--base',
            base === 'auto' ? base : 'HEAD^^',
          ]);
          expectCode(refused, 6);
          expect(refused.stderr).toContain('protect group/vault is removed');
          expect(refused.stderr).toContain('nobody');
        }));

  test('loses its objects with --prune removed', { tags: 'variation' }, () =>
    layered({}, async ({ run, commit, id, names, apply }) => {
      await commit({ 'prod/meshform.yaml': `account: ${id}\nlayers: [.]\n` });
      const planned = await run(['plan', 'prod', '--base', 'HEAD^', '--prune', 'removed']);
      expect(planned.stdout).toContain('2 to destroy');
      expectCode(await apply('prod', ['--allow', 'OVER_THRESHOLD']), 0);
      expect(await names('/api/groups')).toEqual(['All', 'legacy', 'on-call']);
      expect(await run(['base', 'show', 'prod'])).not.toMatchObject({
        stdout: expect.stringContaining('"layers"'),
      });
    }),
  );

  test(
    'still enforces the access tests of the base that it excludes now',
    { tags: 'variation' },
    () =>
      layered({ base: GUARDED, prod: BOTH }, async ({ commit, run }) => {
        await commit({
          'guards/meshform.yaml': 'protect: [group/vault]\nexclude: [tests.yaml]\n',
          'guards/a.yaml': 'groups: [{ name: a }]\n',
        });
        await commit({ 'prod/open.yaml': OPEN });
        const refused = await run(['apply', 'prod', '--yes', '--base', 'HEAD^^']);
        expectCode(refused, 6);
        expect(refused.stderr).toContain('nobody');
        expect(refused.stderr).not.toContain('BASE_LAYER_EMPTY');
      }),
  );
});

describe.concurrent('a base of layers', { tags: 'variation' }, () => {
  test(
    'names the layers that a revision does not have, and counts them as empty',
    { tags: 'variation' },
    () =>
      layered({}, async ({ run, commit, project }) => {
        await commit({
          'site/groups.yaml': 'groups: [{ name: site }]\n',
          'prod/meshform.yaml': project.replace('../base', '../base, ../site'),
        });
        // The list of that time counts.
        const before = await run(['plan', 'prod', '--base', 'HEAD^']);
        expectCode(before, 0);
        expect(before.stderr).not.toContain('BASE_LAYER_EMPTY');
        const named = await run(['plan', 'base', 'site', 'prod', '--base', 'HEAD^']);
        expectCode(named, 0);
        expect(named.stderr).toContain('"HEAD^" has no layer `site`');
        expect((await run(['plan', 'base', 'new', '--base', 'HEAD^'])).code).toBe(3);
      }),
  );

  test('names an environment that a revision does not have', { tags: 'variation' }, () =>
    layered({}, async ({ run, commit, id }) => {
      await commit({
        'test/meshform.yaml': `account: ${id}\nname: test\n${LIST}`,
        'prod/meshform.yaml': 'account: other\n',
      });
      const planned = await run(['plan', 'test', '--base', 'HEAD^']);
      expectCode(planned, 0);
      expect(planned.stderr).toContain('BASE_LAYER_EMPTY');
      expect(planned.stderr).toContain('`test`');
    }),
  );

  test('is not recorded while a layer has uncommitted changes', { tags: 'variation' }, () =>
    layered({}, async ({ run, cwd, commit }) => {
      await commit({ 'prod/more.yaml': 'groups: [{ name: more }]\n' });
      await writeFile(join(cwd, 'base/new.yaml'), 'groups: [{ name: new }]\n');
      const refused = await run(['apply', 'prod', ...APPLY]);
      expectCode(refused, 6);
      expect(refused.stderr).toContain('uncommitted changes');
    }),
  );

  test('a base that is a folder uses the layers of its own list', { tags: 'variation' }, () =>
    layered({}, async ({ run, commit, cwd, project }) => {
      git(cwd, 'worktree', 'add', '--quiet', '.git/before', 'HEAD');
      await commit({
        'base/groups.yaml': 'groups: [{ name: staff }]\n',
        'prod/meshform.yaml': `${project}exclude: [x]\n`,
      });
      const planned = await run([
        'plan',
        'prod',
        '--base',
        './.git/before/prod',
        '--prune',
        'removed',
      ]);
      expect(planned.stdout + planned.stderr).toContain('group.vault');
      expect(planned.stdout).toContain('1 to destroy');
      const named = await run([
        'plan',
        'base',
        'prod',
        '--base',
        './.git/before/prod',
        '--prune',
        'removed',
      ]);
      expect(named.stdout).toContain('1 to destroy');
    }),
  );
});

describe.concurrent('a run with fewer layers than the run that recorded its base', () => {
  const noList = { prod: '' };
  const recorded = (story: (all: Teams) => Promise<void>) =>
    teams(async all => {
      await all.commit({
        'base/groups.yaml': BASE,
        'site/groups.yaml': 'groups: [{ name: site }]\n',
        'prod/groups.yaml': PROD,
        'prod/meshform.yaml': `account: ${all.id}\n${noList.prod}`,
      });
      expectCode(await all.run(['apply', 'base', 'site', 'prod', ...APPLY]), 0);
      await story(all);
    });

  test('is refused as soon as it deletes an object', () =>
    recorded(async ({ run, names }) => {
      for (const paths of [['prod'], ['base', 'prod'], ['site', 'prod']])
        for (const mode of ['removed', 'unmanaged']) {
          const refused = await run([
            'apply',
            ...paths,
            ...APPLY,
            '--prune',
            mode,
            '--allow',
            'DELETES_OBJECT',
          ]);
          expectCode(refused, 3);
          expect(refused.stderr).toContain('LAYERS_FEWER');
          expect(refused.stderr).toContain(
            paths.includes('base') ? 'has no `site`' : 'has no `base`',
          );
        }
      const expired = await run(['expire', 'prod', '--yes']);
      expectCode(expired, 3);
      expect(expired.stderr).toContain('LAYERS_FEWER');
      expectCode(await run(['expire', 'base', 'site', 'prod', '--yes']), 0);
      expectCode(await run(['plan', 'prod', '--base', 'auto']), 0);
      expectCode(await run(['plan', 'base', 'site', 'prod', '--base', 'auto', ...PRUNE]), 0);
      expect(await names('/api/groups')).toContain('vault');
    }));

  test.each(someOf(['removed', 'unmanaged'], 1))(
    'is refused without a base too: --prune %s',
    mode =>
      recorded(async ({ run, names, cwd }) => {
        // A forgotten base is in the clone all the same, and the remote of a pipeline has it.
        git(cwd, 'commit', '--quiet', '--allow-empty', '-m', 'next');
        const base = mode === 'removed' ? ['--base', 'HEAD^'] : [];
        const argv = ['apply', 'prod', '--yes', '--prune', mode, ...base];
        const refused = await run([...argv, '--allow', 'DELETES_OBJECT']);
        expectCode(refused, 3);
        expect(refused.stderr).toContain('LAYERS_FEWER');
        expectCode(await run(['plan', 'prod', '--prune', mode, ...base]), 3);
        expect(await names('/api/groups')).toContain('vault');
      }),
  );

  test(
    'is refused by the journals of its applies if none of them recorded a base',
    { tags: 'variation' },
    () =>
      teams(async ({ run, names, commit, id }) => {
        await commit({
          'base/groups.yaml': BASE,
          'prod/groups.yaml': PROD,
          'prod/meshform.yaml': `account: ${id}\n`,
        });
        expectCode(await run(['apply', 'base', 'prod', '--yes']), 0);
        const argv = [
          'apply',
          'prod',
          '--yes',
          '--prune',
          'unmanaged',
          '--allow',
          'DELETES_OBJECT',
        ];
        const refused = await run(argv);
        expectCode(refused, 3);
        expect(refused.stderr).toContain('LAYERS_FEWER');
        expect(refused.stderr).toContain('has no `../base`');
        expect(await names('/api/groups')).toContain('vault');
        expectCode(await run(['expire', 'prod', '--yes']), 3);
        expectCode(await run(['plan', 'prod']), 0);
        await commit({ 'prod/meshform.yaml': `account: ${id}\nlayers: [.]\n` });
        expectCode(await run(['plan', 'prod', '--prune', 'unmanaged']), 0);
      }),
  );

  test('is refused even if another layer replaces the missing one', { tags: 'variation' }, () =>
    recorded(async ({ run, commit }) => {
      await commit({ 'new/groups.yaml': 'groups: [{ name: new }]\n' });
      expectCode(await run(['plan', 'new', 'site', 'prod', '--base', 'auto', ...PRUNE]), 3);
      // A folder that was moved is a part of a commit.
      await commit({ 'base/groups.yaml': null, 'new/groups.yaml': BASE });
      expectCode(await run(['plan', 'new', 'site', 'prod', '--base', 'auto', ...PRUNE]), 0);
    }),
  );

  test('is accepted if a commit removes a layer from the list in the project file', () =>
    recorded(async ({ run, commit, id }) => {
      await commit({ 'prod/meshform.yaml': `account: ${id}\n${LIST}` });
      const planned = await run(['plan', 'prod', '--base', 'auto', ...PRUNE]);
      expectCode(planned, 0);
      expect(planned.stdout).toContain('1 to destroy');
    }));
});
