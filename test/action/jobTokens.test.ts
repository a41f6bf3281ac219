// Who gets a token of the job: git, from a path that lasts as long as its command, and nobody else.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freshFolder, writeNewFile } from '../../action/folders.ts';
import { holdSettings } from '../../action/heldText.ts';
import { withGitToken, withoutJobTokens } from '../../action/jobTokens.ts';

const TOKEN = 'ghs_exampleToken';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'meshform-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const jobEnv = (server: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  RUNNER_TEMP: newFolder(),
  GITHUB_TOKEN: TOKEN,
  GITHUB_SERVER_URL: server,
});

test('git reads the token for the server of the job, and no variable holds it', async () => {
  const basic = Buffer.from(`x-access-token:${TOKEN}`).toString('base64');
  await withGitToken(jobEnv('https://forge.example.com'), async env => {
    const values = Object.values(env).join('\n');
    expect(values).not.toContain(TOKEN);
    expect(values).not.toContain(basic);
    // Nothing is found for another server: git ends with 1 and prints nothing.
    const headerAt = (url: string) => {
      const args = ['config', '--get-urlmatch', 'http.extraheader', url];
      return spawnSync('git', args, { cwd: tmpdir(), env, encoding: 'utf8' }).stdout.trim();
    };
    expect(headerAt('https://forge.example.com/a/b')).toBe(`AUTHORIZATION: basic ${basic}`);
    expect(headerAt('https://elsewhere.example.com/a/b')).toBe('');
  });
});

/** What a program finds at the path, or why it finds nothing. */
const readBy = (path: string) => {
  const { status, stdout, stderr } = spawnSync('cat', [path], { encoding: 'utf8' });
  return status === 0 ? stdout : stderr;
};

test.runIf(process.platform === 'linux')(
  'the token is in no file with a name, and cannot be read at any path afterwards',
  async () => {
    const env = jobEnv('https://forge.example.com');
    const paths: string[] = [];
    const use = async ({ GIT_CONFIG_VALUE_0: path = '' }: NodeJS.ProcessEnv) => {
      paths.push(path);
      expect(readBy(path)).toContain('AUTHORIZATION: basic ');
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(readdirSync(env.RUNNER_TEMP ?? '')).toEqual([]);
      if (paths.length > 1) throw new Error('git failed');
    };
    await withGitToken(env, use);
    await expect(withGitToken(env, use)).rejects.toThrow('git failed');
    for (const path of paths) expect(readBy(path)).not.toContain('AUTHORIZATION');
  },
);

test('git settings with the token can be erased while a program may still read the path', async () => {
  const { path, erase, release } = await holdSettings('[a]\n\tb = c\n', jobEnv(''));
  erase();
  erase();
  expect(readBy(path)).not.toContain('b = c');
  release();
});

test('the token is in a private folder of the user, and is removed afterwards, if git cannot read such a path', async () => {
  const env = jobEnv('https://forge.example.com');
  // Without git, nobody can say that it reads the path.
  const job = { ...env, PATH: newFolder() };
  const files: string[] = [];
  const use = async ({ GIT_CONFIG_VALUE_0: file = '' }: NodeJS.ProcessEnv) => {
    files.push(file);
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
    expect(lstatSync(dirname(file)).mode & 0o777).toBe(0o700);
    if (files.length > 1) throw new Error('git failed');
  };
  await withGitToken(job, use);
  await expect(withGitToken(job, use)).rejects.toThrow('git failed');
  const [first = '', second = ''] = files.map(file => dirname(file));
  expect(first).not.toBe(second);
  expect(existsSync(first) || existsSync(second)).toBe(false);
  expect(readdirSync(env.RUNNER_TEMP ?? '')).toEqual([]);
});

test('a server without https gets no token', () =>
  withGitToken(jobEnv('http://forge.example.com'), async env => {
    expect(env.GIT_CONFIG_COUNT).toBeUndefined();
    expect(env.GITHUB_TOKEN).toBeUndefined();
  }));

test('a program gets no token of the job, under any name', () => {
  const env = {
    PATH: '/bin',
    MESHFORM_TOKEN: 'nbp_token',
    GITHUB_TOKEN: TOKEN,
    GH_TOKEN: TOKEN,
    REMOTE: `https://x-access-token:${TOKEN}@forge.example.com/`,
    ACTIONS_RUNTIME_TOKEN: 'runtime',
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'identity',
  };
  expect(withoutJobTokens(env)).toEqual({ PATH: '/bin', MESHFORM_TOKEN: 'nbp_token' });
  expect(withoutJobTokens({ PATH: '/bin', GITHUB_TOKEN: '' })).toEqual({ PATH: '/bin' });
});

test('a missing or unsafe temporary folder of the job is an error', () => {
  const open = newFolder();
  chmodSync(open, 0o777);
  const missing = join(open, 'missing');
  for (const RUNNER_TEMP of [undefined, '', 'temp', missing])
    expect(() => freshFolder({ RUNNER_TEMP })).toThrow('RUNNER_TEMP must be the path');
  expect(() => freshFolder({ RUNNER_TEMP: open })).toThrow('every user of the machine can replace');
  chmodSync(open, 0o1777);
  expect(lstatSync(freshFolder({ RUNNER_TEMP: open })).mode & 0o777).toBe(0o700);
});

test('the file with the token is only created, never overwritten, and not through a link', () => {
  const folder = newFolder();
  const [file, link, target] = ['file', 'link', 'target'].map(name => join(folder, name));
  writeNewFile(file ?? '', 'one');
  symlinkSync(target ?? '', link ?? '');
  for (const taken of [file, link])
    expect(() => writeNewFile(taken ?? '', 'two')).toThrow('EEXIST');
  expect(readFileSync(file ?? '', 'utf8')).toBe('one');
  expect(existsSync(target ?? '')).toBe(false);
});
