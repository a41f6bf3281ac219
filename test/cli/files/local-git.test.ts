// What git gets of the environment where it reaches no remote: where its settings are, and neither a token nor how the job signs in.
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Watched, watchPrograms } from '../../hostile/watchedPrograms.ts';
import { inFolder } from '../../support/cli.ts';
import { git } from '../../support/git.ts';
import { someOf } from '../../support/variations.ts';
import { inRepository, type Repository } from './repository.ts';

/** The variables of a job. Each has a secret. */
const JOB = {
  CI_JOB_TOKEN: 'secret-of-the-job',
  CI_JOB_JWT: 'secret-of-the-job',
  AWS_SECRET_ACCESS_KEY: 'secret-of-the-cloud',
  GIT_ASKPASS: '/bin/secret-of-the-helper',
  SSH_AUTH_SOCK: '/run/secret-of-the-agent',
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: 'http.extraHeader',
  GIT_CONFIG_VALUE_0: 'Authorization: secret-of-the-header',
  GIT_CONFIG_KEY_1: 'remote.mirror.url',
  GIT_CONFIG_VALUE_1: 'https://bot:secret-of-the-address@git.invalid/n.git?t=secret-of-the-query',
  GIT_CONFIG_PARAMETERS: "'http.proxy=http://secret-of-the-proxy@p' 'http.cookieFile'='secret-of'",
};

const REACHES = / (?:ls-remote|fetch|push) /;

const localOf = async (watched: Watched) => {
  const commands = await watched.commands();
  expect(commands.some(({ command }) => REACHES.test(command))).toBe(true);
  return commands.filter(({ command }) => !REACHES.test(command));
};

/** A folder with a home and a remote beside it. */
const withRemote = (use: (home: string, withEnv: Repository['withEnv']) => Promise<void>) =>
  inRepository(async ({ cwd, commit, withEnv }) =>
    inFolder(async home => {
      await commit('groups: [{ name: a }]\n');
      const remote = join(home, 'remote.git');
      git(cwd, 'init', '--quiet', '--bare', remote);
      git(cwd, 'remote', 'add', 'origin', remote);
      await use(home, withEnv);
    }),
  );

test('commands of git that reach no remote get no secret of the job', () =>
  withRemote(async (home, withEnv) => {
    const watched = await watchPrograms(join(home, 'programs'), '');
    const { run } = withEnv({ ...JOB, PATH: watched.path, HOME: home });
    await run('plan', 'net', '--base', 'auto', '--record-base');
    await run('apply', 'net', '--base', 'auto', '--record-base', '--yes');
    await run('lock', 'hold', 'net', '--reason', 'a test');
    await run('runs', 'net');
    const told = (await localOf(watched)).filter(one => /secret-of/.test(one.environment));
    expect(told.map(({ command }) => command)).toEqual([]);
  }));

test('the lock names the person in the git settings of the job', () =>
  withRemote(async (home, withEnv) => {
    const { run } = withEnv({
      HOME: home,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'user.email',
      GIT_CONFIG_VALUE_0: 'mia@example.com',
      GIT_CONFIG_PARAMETERS: "'user.name'='Mia O'\\''Hara'",
    });
    await run('lock', 'hold', 'net', '--reason', 'a test');
    const { stdout } = await run('lock', 'show', 'net');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain("Mia O'Hara <mia@example.com>");
  }));

test.each([
  ['a variable', { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'include.path' }],
  ['a condition', { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'includeIf.onbranch:**.path' }],
  ['a parameter', { GIT_CONFIG_PARAMETERS: "'include.path'='FILE'" }],
  ['an older parameter', { GIT_CONFIG_PARAMETERS: "'include.path=FILE'" }],
  ['a variable, with one file named for `git config`', { GIT_CONFIG: '/dev/null' }],
])('settings of the job that include a file of the checkout are found: %s', (_, variables) =>
  inRepository(async ({ cwd, commit, withEnv }) =>
    inFolder(async home => {
      await mkdir(join(cwd, 'net'), { recursive: true });
      const file = join(cwd, 'net/settings');
      await writeFile(file, '[http]\n\tproxy = http://proxy.invalid\n');
      await commit('groups: [{ name: a }]\n');
      git(cwd, 'remote', 'add', 'origin', join(home, 'remote.git'));
      if ('GIT_CONFIG' in variables) git(cwd, 'config', 'include.path', '../net/settings');
      const { run } = withEnv({
        HOME: home,
        GIT_CONFIG_VALUE_0: file,
        ...Object.fromEntries(
          Object.entries(variables).map(([name, value]) => [name, value.replace('FILE', file)]),
        ),
      });
      const ended = await run('plan', 'net', '--base', 'auto', '--record-base');
      expect(ended.stderr).toContain('`net/settings`, which is part of the checkout');
    }),
  ),
);

/** A repository that a commit could bring: its hook writes a file. */
const EVIL = 'net/evil.git';

test.each<[string, (cwd: string, home: string) => readonly (readonly [string, string])[]]>(
  someOf(
    [
      ['a path', () => [['remote.origin.url', EVIL]]],
      ['a path without its ending', () => [['remote.origin.url', 'net/evil']]],
      ['an absolute path', cwd => [['remote.origin.url', join(cwd, EVIL)]]],
      ['an address', cwd => [['remote.origin.url', `file://${cwd}/net/%65vil.git`]]],
      ['a link', (_, home) => [['remote.origin.url', join(home, 'link')]]],
      [
        'a place to push to',
        (_, home) => [
          ['remote.origin.url', join(home, 'remote.git')],
          ['remote.origin.pushurl', EVIL],
        ],
      ],
      [
        'a place that takes the place of another',
        (_, home) => [
          ['remote.origin.url', join(home, 'remote.git')],
          [`url.${EVIL}.insteadOf`, join(home, 'remote.git')],
        ],
      ],
    ],
    3,
  ),
)(
  'a remote that is a folder in the checkout is refused, and none of its hooks runs: %s',
  (_, settings) =>
    inRepository(async ({ cwd, commit, withEnv }) =>
      inFolder(async home => {
        git(home, 'init', '--quiet', '--bare', 'remote.git');
        git(cwd, 'init', '--quiet', '--bare', EVIL);
        const hook = `#!/bin/sh\necho ran >> ${join(home, 'ran')}\n`;
        await mkdir(join(cwd, EVIL, 'hooks'), { recursive: true });
        await writeFile(join(cwd, EVIL, 'hooks/pre-receive'), hook, { mode: 0o755 });
        await symlink(join(cwd, EVIL), join(home, 'link'));
        await commit('groups: [{ name: a }]\n');
        const all = settings(cwd, home);
        for (const [i, [key, value]] of all.entries()) if (i === 0) git(cwd, 'config', key, value);
        // What is more is a setting of the job.
        const [, more] = all;
        const { run } = withEnv({
          HOME: home,
          ...(more && {
            GIT_CONFIG_COUNT: '1',
            GIT_CONFIG_KEY_0: more[0],
            GIT_CONFIG_VALUE_0: more[1],
          }),
        });
        const recorded = ['--base', 'auto', '--record-base'];
        for (const argv of [['plan'], ['apply', '--lock', 'git', '--yes']]) {
          const ended = await run(...argv, 'net', ...recorded);
          expect(ended.code, ended.stderr).not.toBe(0);
          expect(ended.stderr.replaceAll(/\s+/g, ' ')).toContain('which is part of the checkout');
        }
        await expect(readFile(join(home, 'ran'))).rejects.toThrow('ENOENT');
      }),
    ),
);
