// The lines of docs/ci.md around an apply, each run in a clone of its own, as pipelines run them.
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { environmentOf, meshform } from '../../support/cli.ts';
import { git } from '../../support/git.ts';
import { expectCode, groupsIn, type Teams, teams } from './teams.ts';

const page = await readFile(new URL('../../../docs/ci.md', import.meta.url), 'utf8');

/** The commands of the page for a merge, for a folder. */
function documented(folder: string): readonly (readonly string[])[] {
  const [, lines = ''] = /```sh\n(git fetch origin [^`]*git push origin [^`]*)```/.exec(page) ?? [];
  return lines
    .trim()
    .split('\n')
    .map(line => line.split(' ').map(word => word.replaceAll("'", '')))
    .map(words => words.map(word => (word === 'network' ? folder : word)));
}

/** Runs the documented commands for a folder in a new clone. */
async function merge(
  { cwd, account }: Teams,
  folder: string,
  {
    first = false,
    env = {},
  }: { readonly first?: boolean; readonly env?: Record<string, string> } = {},
): Promise<void> {
  const clone = join(cwd, '.git/clone');
  git(cwd, 'push', '--quiet', 'origin', 'main');
  git(cwd, 'clone', '--quiet', join(cwd, '.git/remote.git'), clone);
  for (const [program, ...words] of documented(folder)) {
    if (program === 'git') git(clone, ...words);
    else {
      const argv = first ? [...words, '--first'] : words;
      const ended = await meshform(argv, {
        cwd: clone,
        env: { ...environmentOf(account), ...env },
      });
      expectCode(ended, 0);
    }
  }
  await rm(clone, { recursive: true });
}

const withRemote = (story: (teams: Teams) => Promise<void>) =>
  teams(async all => {
    git(all.cwd, 'init', '--quiet', '--bare', '--initial-branch=main', '.git/remote.git');
    git(all.cwd, 'remote', 'add', 'origin', join(all.cwd, '.git/remote.git'));
    await story(all);
  });

describe.concurrent('the documented commands', () => {
  test('are three: fetch, apply, push', () => {
    expect(documented('x').map(([program]) => program)).toEqual(['git', 'meshform', 'git']);
  });

  test('lose no removal of a folder when another folder is applied in between', () =>
    withRemote(async all => {
      const { id, commit, names } = all;
      await commit({ ...groupsIn('netops', id, ['n']), ...groupsIn('appteam', id, ['a', 'b']) });
      await merge(all, 'netops');
      await merge(all, 'appteam', { first: true });
      await commit(groupsIn('appteam', id, ['b']));
      await merge(all, 'netops');
      expect(await names('/api/groups')).toEqual(['All', 'a', 'b', 'n']);
      await merge(all, 'appteam');
      expect(await names('/api/groups')).toEqual(['All', 'b', 'n']);
    }));

  test('delete objects that a former value of a variable named', { tags: 'variation' }, () =>
    withRemote(async all => {
      const { id, commit, names } = all;
      await commit({
        'net/meshform.yaml': `account: ${id}\n`,
        'net/groups.yaml': "groups: [{ name: '${var:ENV} servers' }]\n",
      });
      await merge(all, 'net', { env: { MESHFORM_VAR_ENV: 'old' } });
      await merge(all, 'net', { env: { MESHFORM_VAR_ENV: 'new' } });
      expect(await names('/api/groups')).toEqual(['All', 'new servers']);
    }),
  );
});

describe.concurrent('a push that the remote refuses', () => {
  test('loses no base: the next run on that machine says which command records it again', () =>
    withRemote(async all => {
      const { id, cwd, account, commit, names } = all;
      const clone = join(cwd, '.git/clone');
      const hook = join(cwd, '.git/remote.git/hooks/pre-receive');
      const [fetch = [], apply = [], push = []] = documented('net');
      const inClone = async () => {
        const [, ...argv] = apply;
        const ended = await meshform([...argv, '--lock', 'file'], {
          cwd: clone,
          env: environmentOf(account),
        });
        return { ...ended, stderr: ended.stderr.replaceAll(/\s+/g, ' ') };
      };
      const change = async (...groups: readonly string[]) => {
        await commit(groupsIn('net', id, groups));
        git(cwd, 'push', '--quiet', 'origin', 'main');
        if (existsSync(clone)) git(clone, 'pull', '--quiet');
        else git(cwd, 'clone', '--quiet', join(cwd, '.git/remote.git'), clone);
      };
      const gitLine = ([, ...words]: readonly string[]) => git(clone, ...words);
      await change('a', 'victim');
      gitLine(fetch);
      expectCode(await inClone(), 0);
      gitLine(push);
      await change('a', 'b');
      await writeFile(hook, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
      gitLine(fetch);
      expectCode(await inClone(), 0);
      expect(() => gitLine(push)).toThrow();
      const dropped = git(clone, 'rev-parse', `refs/meshform-base/${id}/net`).trim();
      await rm(hook);
      await account.call('POST', '/api/groups', { name: 'victim' });
      await change('a', 'c');
      gitLine(fetch);
      const refused = await inClone();
      expectCode(refused, 6);
      const [, again = ''] = /`meshform (base record [^`]+)`/.exec(refused.stderr) ?? [];
      expect(again).toBe(`base record net --commit ${dropped}`);
      const env = environmentOf(account);
      expectCode(await meshform(again.split(' '), { cwd: clone, env }), 0);
      const atRemote = git(
        join(cwd, '.git/remote.git'),
        'rev-parse',
        `refs/meshform-base/${id}/net`,
      );
      expect(atRemote.trim()).toBe(dropped);
      gitLine(fetch);
      expectCode(await inClone(), 0);
      gitLine(push);
      expect(await names('/api/groups')).toEqual(['All', 'a', 'c', 'victim']);
    }));
});
