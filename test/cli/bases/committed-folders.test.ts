// What the checked-out commit declares in another folder is declared, whatever the checkout has of it: files that were removed or
// edited, or that a sparse checkout leaves out.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { someOf } from '../../support/variations.ts';
import { expectCode, groupsIn, type Teams, teams } from './teams.ts';

const UNMANAGED = ['--prune', 'unmanaged', '--allow', 'DELETES_OBJECT', '--yes'] as const;

const WAYS: readonly (readonly [name: string, change: (cwd: string) => unknown])[] = [
  ['a file is removed', cwd => rm(join(cwd, 'other/groups.yaml'))],
  ['the folder is removed', cwd => rm(join(cwd, 'other'), { recursive: true })],
  ['its project file is removed', cwd => rm(join(cwd, 'other/meshform.yaml'))],
  [
    'its project file is removed in the index too',
    cwd => git(cwd, 'rm', '--quiet', 'other/meshform.yaml'),
  ],
  ['everything is removed in the index too', cwd => git(cwd, 'rm', '-r', '--quiet', 'other')],
  ['a file is edited', cwd => writeFile(join(cwd, 'other/groups.yaml'), 'groups: [{ name: p }]\n')],
  ['its account is edited', cwd => writeFile(join(cwd, 'other/meshform.yaml'), 'account: x\n')],
  [
    'a file is edited that git does not look at',
    async cwd => {
      git(cwd, 'update-index', '--assume-unchanged', 'other/groups.yaml');
      await writeFile(join(cwd, 'other/groups.yaml'), 'groups: [{ name: p }]\n');
    },
  ],
  [
    'a file is left out',
    async cwd => {
      git(cwd, 'update-index', '--skip-worktree', 'other/groups.yaml');
      await rm(join(cwd, 'other/groups.yaml'));
    },
  ],
  [
    'its project file is left out',
    async cwd => {
      git(cwd, 'update-index', '--skip-worktree', 'other/meshform.yaml');
      await rm(join(cwd, 'other/meshform.yaml'));
    },
  ],
  ['a sparse checkout leaves it out', cwd => git(cwd, 'sparse-checkout', 'set', 'net')],
];

/** Two folders that were applied without a base. */
async function two({ id, run, commit }: Teams): Promise<void> {
  await commit({ ...groupsIn('net', id, ['n']), ...groupsIn('other', id, ['o']) });
  for (const folder of ['net', 'other']) expectCode(await run(['apply', folder, '--yes']), 0);
}

describe.concurrent('an object of another folder is not pruned although', () => {
  test.each(someOf(WAYS, 3))('%s', (_, change) =>
    teams(async all => {
      await two(all);
      await change(all.cwd);
      const ended = await all.run(['apply', 'net', ...UNMANAGED]);
      expectCode(ended, 0);
      expect(await all.names('/api/groups')).toContain('o');
    }),
  );

  test('a saved plan is applied in a sparse checkout into which the object was moved meanwhile', () =>
    teams(async all => {
      const { id, cwd, run, commit, names } = all;
      await two(all);
      await commit({ ...groupsIn('net', id, ['n']), ...groupsIn('other', id, ['o', 'q']) });
      await commit(groupsIn('net', id, ['n', 'q']));
      await commit(groupsIn('net', id, ['n']));
      git(cwd, 'rm', '--quiet', '--cached', 'plan.json', '--ignore-unmatch');
      await all.account.call('POST', '/api/groups', { name: 'r' });
      expectCode(
        await run([
          'plan',
          'net',
          '--prune',
          'unmanaged',
          '--allow',
          'DELETES_OBJECT',
          '--out',
          'plan.json',
        ]),
        0,
      );
      await commit(groupsIn('other', id, ['o', 'q', 'r']));
      git(cwd, 'sparse-checkout', 'set', 'net');
      expectCode(await run(['apply', 'plan.json', '--yes']), 5);
      expect(await names('/api/groups')).toContain('r');
    }));
});

describe.concurrent('an object that one commit moves to another folder', () => {
  test(
    'is not deleted by a job whose sparse checkout has only the first folder',
    { tags: 'variation' },
    () =>
      teams(async ({ id, cwd, apply, commit, names }) => {
        await commit({ ...groupsIn('net', id, ['n', 'm']), ...groupsIn('other', id, ['o']) });
        expectCode(await apply('net'), 0);
        expectCode(await apply('other', ['--first']), 0);
        await commit({ ...groupsIn('net', id, ['n']), ...groupsIn('other', id, ['o', 'm']) });
        git(cwd, 'sparse-checkout', 'set', 'net');
        expectCode(await apply('net'), 0);
        expect(await names('/api/groups')).toContain('m');
        git(cwd, 'sparse-checkout', 'disable');
        expectCode(await apply('other'), 0);
        expectCode(await apply('net'), 0);
        await commit(groupsIn('other', id, ['o']));
        expectCode(await apply('other'), 0);
        expect(await names('/api/groups')).toEqual(['All', 'n', 'o']);
      }),
  );

  test('can be planned before it is committed', () =>
    teams(async all => {
      await two(all);
      await writeFile(join(all.cwd, 'other/groups.yaml'), 'groups: [{ name: p }]\n');
      await writeFile(join(all.cwd, 'net/groups.yaml'), 'groups: [{ name: n }, { name: o }]\n');
      const ended = await all.run(['plan', 'net']);
      expectCode(ended, 0);
      expect(ended.stderr).not.toContain('OBJECT_DUPLICATE');
    }));

  test('keeps the guards that the commit has', () =>
    teams(async all => {
      const { id, cwd, run, commit, names } = all;
      await commit({
        ...groupsIn('net', id, ['n', 'm']),
        ...groupsIn('other', id, ['o']),
        'other/meshform.yaml': `account: ${id}\nprotect: [group/m]\n`,
      });
      expectCode(await run(['apply', 'net', '--yes']), 0);
      expectCode(await run(['apply', 'other', '--yes']), 0);
      await writeFile(join(cwd, 'other/meshform.yaml'), `account: ${id}\n`);
      await writeFile(join(cwd, 'net/groups.yaml'), 'groups: [{ name: n }]\n');
      expectCode(await run(['apply', 'net', ...UNMANAGED]), 6);
      expect(await names('/api/groups')).toContain('m');
    }));
});
