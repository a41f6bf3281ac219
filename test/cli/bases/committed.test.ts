// What is recorded as the text of a commit is the text of that commit: the files as they were read are compared with it, not what
// `git status` shows.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { someOf } from '../../support/variations.ts';
import { expectCode, groupsIn, type Teams, teams } from './teams.ts';

const TWO = 'groups: [{ name: a }, { name: b }]\n';
const FILE = 'net/groups.yaml';

/** Ways in which `git status` shows no change of a file, or no new file. */
const HIDDEN: readonly (readonly [name: string, file: string, hide: (cwd: string) => unknown])[] = [
  ['assume-unchanged', FILE, cwd => git(cwd, 'update-index', '--assume-unchanged', FILE)],
  ['skip-worktree', FILE, cwd => git(cwd, 'update-index', '--skip-worktree', FILE)],
  ['.git/info/exclude', 'net/local.yaml', cwd => writeFile(join(cwd, '.git/info/exclude'), '*\n')],
  [
    'core.excludesFile',
    'net/local.yaml',
    async cwd => {
      await writeFile(join(cwd, '.git/ignored'), '*\n');
      git(cwd, 'config', 'core.excludesFile', join(cwd, '.git/ignored'));
    },
  ],
  [
    'status.showUntrackedFiles',
    'net/local.yaml',
    cwd => git(cwd, 'config', 'status.showUntrackedFiles', 'no'),
  ],
  [
    'core.worktree',
    FILE,
    cwd => {
      git(cwd, 'worktree', 'add', '--quiet', '--detach', '.git/elsewhere');
      git(cwd, 'config', 'core.worktree', join(cwd, '.git/elsewhere'));
    },
  ],
];

async function refusedToRecord({ id, apply, base, names }: Teams, file: string): Promise<void> {
  const before = base('net');
  const refused = await apply('net');
  expectCode(refused, 6);
  expect(refused.stderr).toContain('--record-base has nothing to record');
  expect(refused.stderr).toContain(file);
  expect(base('net')).toBe(before);
  expect(await names('/api/groups')).not.toContain('b');
  expect(id).not.toBe('');
}

describe.concurrent('changes that git does not show', () => {
  test.each(someOf(HIDDEN, 3))('is not recorded: %s', (_, file, hide) =>
    teams(async all => {
      await all.commit(groupsIn('net', all.id, ['a']));
      expectCode(await all.apply('net'), 0);
      await hide(all.cwd);
      await writeFile(join(all.cwd, file), file === FILE ? TWO : 'groups: [{ name: b }]\n');
      await refusedToRecord(all, file);
    }),
  );

  test('is not recorded in a layer that git ignores', () =>
    teams(async all => {
      const { id, cwd, commit, apply } = all;
      await commit({
        'net/meshform.yaml': `account: ${id}\nlayers: [../base, .]\n`,
        [FILE]: 'groups: [{ name: a }]\n',
        'base/l.yaml': 'groups: [{ name: l }]\n',
        '.gitignore': 'base/more.yaml\n',
      });
      expectCode(await apply('net'), 0);
      await writeFile(join(cwd, 'base/more.yaml'), 'groups: [{ name: b }]\n');
      await refusedToRecord(all, 'base/more.yaml');
    }));

  test('is not recorded if the checkout has another encoding than the commit', () =>
    teams(async all => {
      const { id, cwd, commit, apply } = all;
      await commit(groupsIn('net', id, ['a']));
      expectCode(await apply('net'), 0);
      await commit({
        '.gitattributes': 'net/enc.yaml working-tree-encoding=UTF-7\n',
        'net/enc.yaml': 'groups: [{ name: "a+AGI-b" }]\n',
      });
      expect(git(cwd, 'status', '--short')).toBe('');
      await refusedToRecord(all, 'net/enc.yaml');
    }));

  test('is recorded if a checkout only ends lines with CRLF', () =>
    teams(async ({ id, cwd, commit, apply, base, head }) => {
      await commit({ ...groupsIn('net', id, ['a']), '.gitattributes': '* text eol=crlf\n' });
      await rm(join(cwd, FILE));
      git(cwd, 'checkout', '--quiet', '--', FILE);
      expectCode(await apply('net'), 0);
      expect(base('net')).toBe(head());
    }));

  test('is recorded if files that are not read differ', () =>
    teams(async ({ id, cwd, commit, apply, base, head }) => {
      await commit(groupsIn('net', id, ['a']));
      await writeFile(join(cwd, 'net/plan.txt'), '\n');
      expectCode(await apply('net'), 0);
      expect(base('net')).toBe(head());
    }));
});

describe.concurrent('a project file above the folder', () => {
  const PROTECT = 'protect: [group/a]\n';

  test.each(
    someOf(
      [
        ['changed', (file: string) => writeFile(file, '{}\n')],
        ['removed', (file: string) => rm(file)],
      ],
      1,
    ),
  )('is committed like the folder: it is %s', (_, change) =>
    teams(async all => {
      const { id, cwd, commit, apply, run } = all;
      await commit({ ...groupsIn('envs/net', id, ['a'], 'net'), 'envs/meshform.yaml': PROTECT });
      expectCode(await apply('envs/net'), 0);
      await change(join(cwd, 'envs/meshform.yaml'));
      const refused = await apply('envs/net');
      expectCode(refused, 6);
      expect(refused.stderr).toContain('envs/meshform.yaml has uncommitted changes');
      const flags = ['--prune', 'removed', '--base', 'auto', '--out', 'plan.json'];
      expectCode(await run(['plan', 'envs/net', ...flags]), 0);
      git(cwd, 'checkout', '--quiet', '--', 'envs/meshform.yaml');
      const saved = await run(['apply', 'plan.json', '--record-base', '--yes']);
      expectCode(saved, 6);
      expect(saved.stderr).toContain('not committed');
    }),
  );

  test('a new project file above the folder that git ignores is not recorded either', () =>
    teams(async all => {
      const { id, cwd, commit, apply } = all;
      await commit({ ...groupsIn('net', id, ['a']), '.gitignore': '/meshform.yaml\n' });
      expectCode(await apply('net'), 0);
      await writeFile(join(cwd, 'meshform.yaml'), PROTECT);
      await refusedToRecord(all, 'meshform.yaml');
    }));
});
