// A sparse checkout lacks files of its commit, and `git status` is clean: what these files declare must not look removed.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { someOf } from '../../support/variations.ts';
import { expectCode, groupsIn, type Teams, teams } from '../bases/teams.ts';

const FAULT = '`net/prod/p.yaml` cannot be read: it is left out of this sparse checkout';

/** A folder whose part `net/prod` was applied, and is then left out of the checkout. */
async function withoutProd({ id, cwd, apply, commit }: Teams): Promise<void> {
  await commit({
    ...groupsIn('net', id, ['a']),
    'net/prod/p.yaml': 'groups: [{ name: p }]\n',
  });
  expectCode(await apply('net'), 0);
  git(cwd, 'sparse-checkout', 'set', '--no-cone', '/net/*.yaml');
  expect(git(cwd, 'status', '--short')).toBe('');
}

describe.concurrent('a sparse checkout without a part of the folder', () => {
  test.each(
    someOf(
      [
        ['apply', '--prune', 'removed', '--base', 'auto', '--record-base', '--yes'],
        ['apply', '--prune', 'unmanaged', '--yes'],
        ['plan', '--prune', 'removed', '--base', 'auto'],
        ['plan'],
        ['drift', '--base', 'auto'],
        ['expire', '--yes'],
        ['validate'],
      ],
      3,
    ),
  )('is refused by %s %s %s', (verb, ...flags) =>
    teams(async all => {
      await withoutProd(all);
      const ended = await all.run([verb, 'net', ...flags]);
      expectCode(ended, 3);
      expect(`${ended.stdout}${ended.stderr}`).toContain(FAULT);
      expect(`${ended.stdout}${ended.stderr}`).toContain('`git sparse-checkout disable`');
      expect(await all.names('/api/groups')).toContain('p');
    }),
  );

  test(
    'is not a fault if the part is excluded, or is not desired state',
    { tags: 'variation' },
    () =>
      teams(async all => {
        const { id, cwd, apply, commit, names } = all;
        await commit({ ...groupsIn('net', id, ['a']), 'net/prod/readme.txt': '\n' });
        git(cwd, 'sparse-checkout', 'set', '--no-cone', '/net/*.yaml');
        expectCode(await apply('net'), 0);
        git(cwd, 'sparse-checkout', 'disable');
        await commit({
          'net/meshform.yaml': `account: ${id}\nexclude: [prod]\n`,
          'net/prod/p.yaml': 'groups: [{ name: p }]\n',
        });
        git(cwd, 'sparse-checkout', 'set', '--no-cone', '/net/*.yaml');
        expectCode(await apply('net'), 0);
        expect(await names('/api/groups')).toEqual(['All', 'a']);
      }),
  );

  test(
    'is refused if a layer or a project file above the folder is left out',
    { tags: 'variation' },
    () =>
      teams(async ({ id, cwd, apply, commit, names }) => {
        await commit({
          'meshform.yaml': 'protect: [group/a]\n',
          'net/meshform.yaml': `account: ${id}\nlayers: [../base, .]\n`,
          'net/groups.yaml': 'groups: [{ name: a }]\n',
          'base/l.yaml': 'groups: [{ name: l }]\n',
        });
        expectCode(await apply('net'), 0);
        git(cwd, 'sparse-checkout', 'set', '--no-cone', '/net/', '/base/');
        const above = await apply('net');
        expectCode(above, 3);
        expect(above.stderr).toContain('`meshform.yaml` cannot be read: it is left out');
        git(cwd, 'sparse-checkout', 'set', '--no-cone', '/*', '!/base/');
        const whole = await apply('net');
        expectCode(whole, 3);
        expect(whole.stderr).toContain('`git sparse-checkout disable`');
        await mkdir(join(cwd, 'base'), { recursive: true });
        const layer = await apply('net');
        expectCode(layer, 3);
        expect(layer.stderr).toContain('`base/l.yaml` cannot be read: it is left out');
        expect(await names('/api/groups')).toEqual(['All', 'a', 'l']);
      }),
  );

  test('is refused, also with skip-worktree alone, or with a sparse index', () =>
    teams(async all => {
      await withoutProd(all);
      git(all.cwd, 'sparse-checkout', 'set', '--cone', '--sparse-index', 'other');
      git(all.cwd, 'sparse-checkout', 'set', '--cone', '--sparse-index', 'net/other');
      const sparse = await all.apply('net');
      expectCode(sparse, 3);
      expect(sparse.stderr).toContain(FAULT);
      git(all.cwd, 'sparse-checkout', 'disable');
      expectCode(await all.apply('net'), 0);
      git(all.cwd, 'update-index', '--skip-worktree', 'net/prod/p.yaml');
      await rm(join(all.cwd, 'net/prod/p.yaml'), { force: true });
      const marked = await all.apply('net');
      expectCode(marked, 3);
      expect(marked.stderr).toContain(FAULT);
    }));
});
