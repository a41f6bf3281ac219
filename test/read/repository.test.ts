// Which repository a folder is in: only an entry called `.git` counts, which no commit can have.
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repositoryOf } from '../../src/read/git/repository.ts';
import { gitFault, git as runGit } from '../../src/read/git/runGit.ts';
import { inFolder } from '../support/cli.ts';
import { git } from '../support/git.ts';
import { pathWithStrictGit } from '../support/untrusted.ts';

const host = { env: process.env };

describe('the repository of a folder', () => {
  test('is the nearest repository at or above it, also for a file and a missing path', () =>
    inFolder(async folder => {
      git(folder, 'init', '--quiet');
      await mkdir(join(folder, 'a/b'), { recursive: true });
      await writeFile(join(folder, 'a/b/c.yaml'), '');
      expect(repositoryOf(folder)).toEqual({ root: folder, prefix: '' });
      expect(repositoryOf(join(folder, 'a/b/'))).toEqual({ root: folder, prefix: 'a/b/' });
      expect(repositoryOf(join(folder, 'a/b/c.yaml'))).toEqual({ root: folder, prefix: 'a/b/' });
      git(join(folder, 'a'), 'init', '--quiet');
      expect(repositoryOf(join(folder, 'a/b'))?.root).toBe(join(folder, 'a'));
    }));

  test('is the repository of a link’s target', () =>
    inFolder(async folder => {
      for (const name of ['one', 'two']) {
        await mkdir(join(folder, name, 'net'), { recursive: true });
        git(join(folder, name), 'init', '--quiet');
      }
      await symlink('../two/net', join(folder, 'one/link'));
      const found = repositoryOf(join(folder, 'one/link'));
      expect(found).toEqual({ root: join(folder, 'two'), prefix: 'net/' });
    }));

  test('is found from a worktree', () =>
    inFolder(async folder => {
      const one = join(folder, 'one');
      const two = join(folder, 'two');
      git(folder, 'init', '--quiet', 'one');
      git(one, 'commit', '--quiet', '--allow-empty', '--message=first');
      git(one, 'worktree', 'add', '--quiet', '--detach', two);
      expect(repositoryOf(two)).toEqual({ root: two, prefix: '' });
      const args = ['rev-parse', 'HEAD'];
      expect((await runGit({ folder: two, host }, args)).toString('utf8').trim()).toBe(
        git(one, ...args).trim(),
      );
    }));

  test.each(['files of a repository', '.GIT', '.git '])('is not a folder with %s', name =>
    inFolder(async folder => {
      const inner = join(folder, 'net');
      git(folder, 'init', '--quiet', '--bare', name.startsWith('.') ? join(inner, name) : inner);
      expect(repositoryOf(inner)).toBeNull();
      await expect(runGit({ folder: inner, host }, ['rev-parse', 'HEAD'])).rejects.toThrow(
        'this is not a git repository',
      );
    }),
  );

  test('is missing if the entry `.git` is not a repository, as git does not search further either', () =>
    inFolder(async folder => {
      git(folder, 'init', '--quiet');
      await mkdir(join(folder, 'net/.git'), { recursive: true });
      const asked = runGit({ folder: join(folder, 'net'), host }, ['rev-parse', '--git-dir']);
      const why = await asked.then(String, (error: unknown) => gitFault(error).why);
      expect(why).toContain('not a git repository');
    }));
});

test('variables that name a repository are ignored, because git would not check its owner', () =>
  inFolder(async folder => {
    git(folder, 'init', '--quiet', 'one');
    git(folder, 'init', '--quiet', 'two');
    const env = { ...process.env, GIT_DIR: join(folder, 'two/.git'), GIT_WORK_TREE: folder };
    const args = ['rev-parse', '--absolute-git-dir'];
    const answer = await runGit({ folder: join(folder, 'one'), host: { env } }, args);
    expect(answer.toString('utf8').trim()).toBe(join(folder, 'one/.git'));
  }));

test('only the trusted folders of the user’s git settings are used, once git refuses a repository', () =>
  inFolder(async folder => {
    execFileSync('git', ['init', '--quiet', join(folder, 'one')]);
    const settings = '[safe]\n\tdirectory = *\n[core]\n\tabbrev = 5\n[user]\n\tname = Mia\n';
    await writeFile(join(folder, '.gitconfig'), settings);
    const env = { PATH: await pathWithStrictGit(join(folder, 'bin')), HOME: folder };
    const place = { folder: join(folder, 'one'), host: { env } };
    const root = (await runGit(place, ['rev-parse', '--show-toplevel'])).toString('utf8').trim();
    expect(root).toBe(realpathSync(place.folder));
    const listed = (await runGit(place, ['config', '--list'])).toString('utf8');
    expect(listed).toContain('safe.directory=*\n');
    expect(listed).not.toMatch(/core\.abbrev|user\.name/);
  }));
