// A tag with the name of a branch must not become the base: git takes the tag.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { expectCode, groupsIn, teams } from './teams.ts';

test('a base that is both a tag and a branch ends the plan, even if a folder has that name', () =>
  teams(async ({ id, cwd, run, commit }) => {
    await commit(groupsIn('net', id, ['a']));
    const planned = () => run(['plan', 'net', '--prune', 'removed', '--base', 'origin/main']);
    git(cwd, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
    expectCode(await planned(), 0);
    git(cwd, 'tag', 'origin/main');
    await mkdir(join(cwd, 'origin/main'), { recursive: true });
    const refused = await planned();
    expectCode(refused, 3);
    expect(refused.stderr).toContain(
      '`origin/main` is ambiguous: it can mean refs/tags/origin/main or refs/remotes/origin/main',
    );
    expect(refused.stderr).toContain('give the full name: `refs/tags/origin/main` or');
  }));
