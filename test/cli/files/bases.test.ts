// `--base` reads the base from git; a command says why a base is missing, unreadable or not recorded.
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { git } from '../../support/git.ts';
import { pathWithStrictGit } from '../../support/untrusted.ts';
import { AUTO, BOTH, inPlainFolder, inRepository, nameless, ONE } from './repository.ts';

test('an apply whose base cannot be recorded says so, and prints how to record it', () =>
  inRepository(async ({ cwd, run, commit, recorded, head, names, id }) => {
    await commit(BOTH);
    const lock = join(cwd, `.git/refs/meshform-base/${id}/net.lock`);
    await mkdir(dirname(lock), { recursive: true });
    await writeFile(lock, '');
    const { code, stderr } = await run('apply', 'net', '--record-base', '--yes');
    expect(code).toBe(4);
    expect(stderr).toContain('the account is as planned, but its base is not recorded: ');
    expect(stderr).toContain('record it with `meshform base record net`');
    await rm(lock);
    const late = await run('base', 'record', 'net');
    expect(late, late.stderr).toMatchObject({ code: 0 });
    expect((await run('apply', 'net', '--record-base', '--yes')).code).toBe(0);
    expect(recorded()).toBe(head());
    expect(stderr).not.toMatch(/ at \S+ \(/);
    expect(await names('/api/groups')).toEqual(['All', 'a', 'b']);
  }));

describe('the first run of an account', () => {
  const first = ['--prune', 'removed', ...AUTO];

  test('needs the same command line as all later runs', () =>
    inRepository(async ({ run, commit, recorded, head, names }) => {
      await commit(BOTH);
      const plan = await run('plan', 'net', ...first);
      expect([plan.code, plan.stderr]).toEqual([
        0,
        expect.stringContaining('note BASE_NOT_RECORDED'),
      ]);
      for (const text of [BOTH, ONE]) {
        await commit(`# ${text}${text}`);
        const ended = await run('apply', 'net', ...first, '--allow', 'DELETES_OBJECT', '--yes');
        expect(ended.code, ended.stderr).toBe(0);
        expect(recorded()).toBe(head());
      }
      expect(await names('/api/groups')).toEqual(['All', 'b']);
    }));

  test('is not assumed if the remote has a base that was not fetched', { tags: 'variation' }, () =>
    inRepository(async ({ cwd, run, commit, recorded, at, id }) => {
      await commit(BOTH);
      git(cwd, 'clone', '--quiet', '--bare', '.', '.git/remote.git');
      git(cwd, 'remote', 'add', 'origin', join(cwd, '.git/remote.git'));
      await writeFile(join(cwd, '.git/info/exclude'), 'clone\n');
      expect((await run('apply', 'net', ...first, '--lock', 'file', '--yes')).code).toBe(0);
      git(cwd, 'push', '--quiet', 'origin', 'main', `refs/meshform-base/${id}/net`);
      git(cwd, 'clone', '--quiet', '.git/remote.git', 'clone');
      const clone = at(join(cwd, 'clone'));
      for (const argv of [
        ['apply', 'net', ...first, '--lock', 'file', '--yes'],
        ['apply', 'net', '--record-base', '--lock', 'file', '--yes'],
      ]) {
        const refused = await clone.run(...argv);
        expect(refused.code).toBe(3);
        expect(refused.stderr).toContain('has a recorded base that was not fetched');
        expect(refused.stderr).toContain(
          "git fetch origin '+refs/meshform-base/*:refs/meshform-base/*'",
        );
      }
      expect(clone.recorded()).toBe('');
      git(clone.cwd, 'fetch', '--quiet', 'origin', '+refs/meshform-base/*:refs/meshform-base/*');
      expect((await clone.run('apply', 'net', ...first, '--yes')).code).toBe(0);
      expect(clone.recorded()).toBe(recorded());
    }),
  );

  test('is not assumed if the remote cannot be asked', () =>
    inRepository(async ({ cwd, run, commit, recorded }) => {
      await commit(BOTH);
      git(cwd, 'remote', 'add', 'origin', join(cwd, '.git/lost.git'));
      const refused = await run('apply', 'net', ...first, '--lock', 'file', '--yes');
      expect(refused.code).toBe(3);
      expect(refused.stderr).toContain('it is unknown whether `origin` has a recorded base');
      expect(recorded()).toBe('');
    }));
});

describe('the error for a base that git cannot read gives the reason:', () => {
  test.each(['HEAD', 'auto'])('the repository is of another user: %s', base =>
    inRepository(async ({ cwd, run, commit, withEnv }) => {
      await commit(BOTH);
      await run('apply', 'net', ...AUTO, '--yes');
      const strict = withEnv({ PATH: await pathWithStrictGit(join(cwd, '.git/bin')) });
      const ended = await strict.run('plan', 'net', '--base', base);
      expect(ended.code).toBe(3);
      expect(ended.stderr).toContain('dubious ownership');
      expect(ended.stderr).toContain('git config --global --add safe.directory');
      const unrecorded = await strict.run('apply', 'net', '--record-base', '--yes');
      expect(unrecorded.code).toBe(6);
      expect(unrecorded.stderr).toContain('dubious ownership');
    }),
  );

  test.each(['HEAD', 'auto'])('git is not installed: %s', base =>
    inRepository(async ({ commit, withEnv }) => {
      await commit(BOTH);
      const { run } = withEnv({ PATH: '/nowhere' });
      const ended = await run('plan', 'net', '--base', base);
      expect(ended.code).toBe(3);
      expect(ended.stderr).toContain('git is not installed');
      expect((await run('plan', 'net', '--base', './net')).code).toBe(0);
      expect((await run('plan', 'net', '--base', 'net')).code).toBe(0);
    }),
  );

  test('the clone is shallow', () =>
    inRepository(async ({ cwd, commit, head, at }) => {
      await commit(BOTH);
      const before = head();
      await commit(ONE);
      git(cwd, 'clone', '--quiet', '--depth=1', `file://${cwd}`, 'clone');
      for (const base of [before, 'HEAD~1']) {
        const ended = await at(join(cwd, 'clone')).run('plan', 'net', '--base', base);
        expect(ended.code).toBe(3);
        expect(ended.stderr).toContain('this is a shallow clone');
        expect(ended.stderr).toContain('git fetch --unshallow');
      }
    }));

  test('the name does not exist, also in a shallow clone', () =>
    inRepository(async ({ cwd, commit, at }) => {
      await commit(BOTH);
      await commit(ONE);
      git(cwd, 'clone', '--quiet', '--depth=1', `file://${cwd}`, 'clone');
      const ended = await at(join(cwd, 'clone')).run('plan', 'net', '--base', 'origin/mian');
      expect(ended.code).toBe(3);
      expect(ended.stderr.replaceAll(/\s+/g, ' ')).toContain(
        '`origin/mian` is neither a revision in this repository nor a folder: this shallow clone has no such revision',
      );
      expect(ended.stderr).toContain('check its name');
      expect(ended.stderr).not.toContain('this is a shallow clone');
    }));

  test.each([
    ['a configuration with an error', ['.git/config', '[broken'], 'bad config line'],
    [
      'a newer format',
      ['.git/config', '[core]\n\trepositoryformatversion = 99\n'],
      'Expected git repo version',
    ],
    [
      'an unknown extension',
      ['.git/config', '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tnosuch = true\n'],
      'unknown repository extension found: nosuch',
    ],
    [
      'a branch whose commit is lost',
      ['.git/refs/heads/gone', `${'0123'.repeat(10)}\n`],
      'it lacks the object of `gone`',
    ],
  ])('the repository has %s', (_, [file = '', text = ''], why) =>
    inRepository(async ({ cwd, run, commit }) => {
      await commit(BOTH);
      await writeFile(join(cwd, file), text);
      const base = file.endsWith('gone') ? 'gone' : 'HEAD';
      const ended = await run('plan', 'net', '--base', base);
      expect(ended.code).toBe(3);
      expect(ended.stderr).toContain(`git cannot read this repository: ${why}`);
      expect(ended.stderr).not.toContain('not a git repository');
    }),
  );

  test('the repository has a damaged object', () =>
    inRepository(async ({ cwd, run, commit, head }) => {
      await commit(BOTH);
      const object = join(cwd, '.git/objects', head().slice(0, 2), head().slice(2));
      await chmod(object, 0o600);
      await writeFile(object, 'damaged');
      const ended = await run('plan', 'net', '--base', 'HEAD');
      expect(ended.code).toBe(3);
      expect(ended.stderr).toContain('git cannot read this repository: loose object');
    }));

  test('the folder was renamed', () =>
    inRepository(async ({ cwd, run, commit }) => {
      await commit(BOTH);
      await run('apply', 'net', ...AUTO, '--yes');
      await rename(join(cwd, 'net'), join(cwd, 'overlay'));
      git(cwd, 'add', '.');
      git(cwd, 'commit', '--quiet', '--message=renamed');
      const ended = await run('plan', 'overlay', '--base', 'HEAD~1');
      expect(ended.code).toBe(3);
      expect(ended.stderr).toContain('was the path renamed since?');
      expect(ended.stderr).toContain('git worktree add ../base');
      const auto = await run('plan', 'overlay', '--base', 'auto');
      expect(auto.code).toBe(6);
      expect(auto.stderr).toContain('BASE_NOT_FOUND');
      expect(auto.stderr).toContain('meshform base adopt');
      git(cwd, 'worktree', 'add', '--quiet', `${cwd}-base`, 'HEAD~1');
      onTestFinished(() => rm(`${cwd}-base`, { recursive: true }));
      const flags = ['--base', `${cwd}-base/net`, '--first', '--record-base', '--yes'];
      expect((await run('apply', 'overlay', ...flags)).code).toBe(0);
    }));

  test('the folder is outside any repository', () =>
    inPlainFolder(async ({ cwd, run }) => {
      await mkdir(join(cwd, 'net'));
      await writeFile(join(cwd, 'net/network.yaml'), BOTH);
      const ended = await run('plan', 'net', '--base', 'HEAD');
      expect(ended.code).toBe(3);
      expect(ended.stderr).toContain('this is not a git repository');
    }));

  test('the folder is in a submodule, and its project file in the outer repository', () =>
    inRepository(async ({ cwd, id, run, commit, at }) => {
      await commit(BOTH);
      const around = join(cwd, 'around');
      await mkdir(around);
      git(around, 'init', '--quiet');
      const modules = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add'];
      git(around, ...modules, cwd, 'network');
      const submodule = at(around);
      const planned = () => submodule.run('plan', 'network/net', '--base', 'HEAD');
      expect((await planned()).code).toBe(0);
      await writeFile(join(around, 'meshform.yaml'), `account: ${id}\nprotect: [group/a]\n`);
      const refused = await planned();
      expect(refused.code).toBe(3);
      expect(refused.stderr).toContain(
        'its guards are unknown: the folder is in a submodule, and `meshform.yaml` is in the repository around it',
      );
      expect((await submodule.run('plan', 'network/net')).code).toBe(0);
      // Around the submodule its files are nobody's, checked out or not.
      await writeFile(join(around, 'own.yaml'), BOTH);
      git(around, 'add', '.');
      git(around, 'commit', '--quiet', '--message=around');
      for (const words of [
        ['plan', '.'],
        ['plan', '.', '--base', 'HEAD'],
      ]) {
        const ended = await submodule.run(...words);
        expect(ended.code).toBe(3);
        expect(ended.stderr).toContain('`network` cannot be read: it is a submodule');
      }
      expect(await run('plan', 'net', '--base', 'HEAD')).toMatchObject({ code: 0 });
    }));

  test('the folder has a submodule or a link to the outside', () =>
    inRepository(async ({ cwd, run, commit, head }) => {
      await commit(BOTH);
      git(cwd, 'update-index', '--add', '--cacheinfo', `160000,${head()},net/shared`);
      git(cwd, 'commit', '--quiet', '--message=submodule');
      const ended = await run('plan', 'net', '--base', 'HEAD');
      expect(ended.code).toBe(3);
      expect(ended.stderr).toContain('`HEAD:shared` cannot be read: it is a submodule');
    }));
});

test('the base of a single file does not include the files beside it', () =>
  inRepository(async ({ cwd, run, commit }) => {
    await commit(BOTH);
    await writeFile(join(cwd, 'net/other.yaml'), nameless('{ name: c }'));
    git(cwd, 'add', '.');
    git(cwd, 'commit', '--quiet', '--message=other');
    await run('apply', 'net', '--yes');
    const { stdout } = await run(
      'plan',
      'net/network.yaml',
      '--prune',
      'removed',
      '--base',
      'HEAD',
    );
    expect(stdout).toContain('No changes.');
  }));
