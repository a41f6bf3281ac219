// A submodule that is not checked out is an empty folder, and a commit can bring one without `.gitmodules`: its objects must not look removed.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { someOf } from '../../support/variations.ts';
import { expectCode, groupsIn, teams } from '../bases/teams.ts';

const FAULT = '`net/shared` cannot be read: it is a submodule';

const withSubmodule = (cwd: string, path: string) => {
  const head = git(cwd, 'rev-parse', 'HEAD').trim();
  git(cwd, 'update-index', '--add', '--cacheinfo', `160000,${head},${path}`);
  git(cwd, 'commit', '--quiet', '--message=submodule');
};

describe.concurrent('a submodule without .gitmodules', () => {
  test.each(
    someOf(
      [
        ['empty', true],
        ['missing', false],
      ],
      1,
    ),
  )('is an error if its folder is %s', (_, isThere) =>
    teams(async ({ id, cwd, run, apply, commit, names }) => {
      await commit(groupsIn('net', id, ['a', 'b']));
      expectCode(await apply('net'), 0);
      await commit(groupsIn('net', id, ['a']));
      withSubmodule(cwd, 'net/shared');
      if (isThere) await mkdir(join(cwd, 'net/shared'));
      for (const ended of [await apply('net'), await run(['validate', 'net'])]) {
        expectCode(ended, 3);
        expect(`${ended.stdout}${ended.stderr}`).toContain(FAULT);
      }
      expect(await names('/api/groups')).toContain('b');
      await commit({ 'net/meshform.yaml': `account: ${id}\nexclude: [shared]\n` });
      withSubmodule(cwd, 'net/shared');
      expectCode(await apply('net'), 0);
    }),
  );

  test('is an error in a base, and in another folder', () =>
    teams(async ({ id, cwd, run, apply, commit }) => {
      await commit({ ...groupsIn('net', id, ['a']), ...groupsIn('other', id, ['b']) });
      expectCode(await apply('other'), 0);
      withSubmodule(cwd, 'net/shared');
      const head = git(cwd, 'rev-parse', 'HEAD').trim();
      await mkdir(join(cwd, 'net/shared'));
      await commit(groupsIn('other', id, ['c']));
      withSubmodule(cwd, 'net/shared');
      const pruned = await apply('other');
      expectCode(pruned, 3);
      expect(pruned.stderr).toContain('FOLDER_UNREADABLE');
      await commit({ 'net/groups.yaml': 'groups: [{ name: a }, { name: d }]\n' });
      await rm(join(cwd, 'net/shared'), { recursive: true });
      git(cwd, 'rm', '--quiet', '--cached', '--ignore-unmatch', 'net/shared');
      const planned = await run(['plan', 'net', '--base', head]);
      expectCode(planned, 3);
      expect(planned.stderr).toContain(`${head}:shared`);
    }));
});
