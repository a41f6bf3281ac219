// Recorded bases between a checkout and a server over HTTPS: the token of the job opens it, whatever the checkout has left behind.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fetchBases, pushBases } from '../../action/git.ts';
import { withGitToken } from '../../action/jobTokens.ts';
import { startGitServer } from './gitServer.ts';

const TOKEN = 'ghs_exampleToken';
const basicOf = (token: string) =>
  `AUTHORIZATION: basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
const REF = 'refs/meshform-base/account/network';

async function openCheckout() {
  const folder = mkdtempSync(join(tmpdir(), 'meshform-test-'));
  const server = await startGitServer(folder, basicOf(TOKEN).slice('AUTHORIZATION: '.length));
  onTestFinished(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });
  const checkout = join(folder, 'checkout');
  const git = (...args: string[]) => {
    const who = ['-c', 'user.name=Mia', '-c', 'user.email=mia@example.com'];
    const ended = spawnSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8' });
    if (ended.status !== 0) throw new Error(`git ${args.join(' ')}\n${ended.stderr}`);
    return ended.stdout.trim();
  };
  git('init', '--quiet', '--bare', 'network.git');
  git('init', '--quiet', checkout);
  const at = ['-C', checkout];
  git(...at, 'remote', 'add', 'origin', `${server.url}/network.git`);
  git(...at, 'commit', '--quiet', '--allow-empty', '--message', 'A change');
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: folder,
    RUNNER_TEMP: folder,
    GIT_TERMINAL_PROMPT: '0',
    GITHUB_TOKEN: TOKEN,
    GITHUB_SERVER_URL: server.url,
    GIT_SSL_CAINFO: server.authority,
  };
  const here = (...args: string[]) => git(...at, ...args);
  const there = () =>
    git('--git-dir', 'network.git', 'for-each-ref', '--format=%(objectname)', REF);
  return { checkout, env, here, there, server };
}

test('a base is pushed, and fetched by the next checkout', async () => {
  const { checkout, env, here, there, server } = await openCheckout();
  const revision = here('rev-parse', 'HEAD');
  here('update-ref', REF, revision);
  expect(await pushBases(checkout, { env })).toBeNull();
  expect(there()).toBe(revision);
  here('update-ref', '-d', REF);
  await fetchBases(checkout, { env });
  expect(here('rev-parse', REF)).toBe(revision);
  const wanted = basicOf(TOKEN).slice('AUTHORIZATION: '.length);
  expect(new Set(server.seen.flat())).toEqual(new Set([wanted]));
});

test('a credential header that the checkout left in the repository is not sent', async () => {
  const { checkout, env, here, server } = await openCheckout();
  here('config', `http.${server.url}/.extraheader`, basicOf('ghs_ofTheCheckout'));
  await fetchBases(checkout, { env });
  expect(server.seen.every(given => given.length === 1)).toBe(true);
});

test('a git configuration in the environment of the job is kept', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'meshform-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const env = {
    PATH: process.env.PATH,
    RUNNER_TEMP: folder,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'http.proxy',
    GIT_CONFIG_VALUE_0: 'p',
    GITHUB_TOKEN: TOKEN,
    GITHUB_SERVER_URL: 'https://forge.example.com',
  };
  await withGitToken(env, async lent => {
    const got = (...args: string[]) =>
      spawnSync('git', ['config', ...args], { cwd: folder, env: lent, encoding: 'utf8' }).stdout;
    expect(got('--get', 'http.proxy')).toBe('p\n');
    expect(got('--get-urlmatch', 'http.extraheader', 'https://forge.example.com/a')).toBe(
      `${basicOf(TOKEN)}\n`,
    );
  });
});

test('a token that the server rejects is an error, and nothing is pushed', async () => {
  const { checkout, env, here, there } = await openCheckout();
  here('update-ref', REF, 'HEAD');
  const other = { ...env, GITHUB_TOKEN: 'ghs_other' };
  await expect(fetchBases(checkout, { env: other })).rejects.toThrow('cannot be fetched');
  expect(await pushBases(checkout, { env: other })).toContain('cannot be pushed');
  expect(there()).toBe('');
});

test('no file contains the token after a transfer, whether it succeeded or not', async () => {
  const { checkout, env, here } = await openCheckout();
  const temporary = join(checkout, '.git/temporary');
  mkdirSync(temporary);
  const job = { env: { ...env, RUNNER_TEMP: temporary } };
  here('update-ref', REF, 'HEAD');
  await fetchBases(checkout, job);
  expect(readdirSync(temporary)).toEqual([]);
  expect(await pushBases(checkout, job)).toBeNull();
  expect(readdirSync(temporary)).toEqual([]);
  const other = { env: { ...job.env, GITHUB_TOKEN: 'ghs_other' } };
  await expect(fetchBases(checkout, other)).rejects.toThrow('cannot be fetched');
  expect(readdirSync(temporary)).toEqual([]);
});

test('hooks in a checkout do not run, and a repository in its files gets no token', async () => {
  const { checkout, env, here, there, server } = await openCheckout();
  const started = join(checkout, '.git/started');
  const program = `#!/bin/sh\nenv > '${started}'\n`;
  here('update-ref', REF, 'HEAD');
  mkdirSync(join(checkout, '.husky'));
  for (const hook of ['pre-push', 'reference-transaction', 'post-fetch', 'pre-auto-gc'])
    writeFileSync(join(checkout, '.husky', hook), program, { mode: 0o755 });
  here('config', 'core.hooksPath', '.husky');
  // Every file of a repository but the folder `.git` can be part of a commit.
  const inner = join(checkout, 'network');
  here('init', '--quiet', '--bare', inner);
  writeFileSync(join(inner, 'ssh'), program, { mode: 0o755 });
  const settings = [
    ['core.sshCommand', join(inner, 'ssh')],
    ['remote.origin.url', 'ssh://git@other.example.com/network.git'],
    ['credential.helper', `!${join(inner, 'ssh')}`],
  ];
  for (const [key = '', value = ''] of settings) here('--git-dir', inner, 'config', key, value);
  await fetchBases(inner, { env });
  expect(await pushBases(inner, { env })).toBeNull();
  expect(there()).not.toBe('');
  expect(server.seen.flat()).not.toEqual([]);
  expect(existsSync(started)).toBe(false);
});

test('a folder of the checkout with the name of the remote is not used as the remote', async () => {
  const { checkout, env, here } = await openCheckout();
  here('remote', 'remove', 'origin');
  const trace = join(checkout, '.git/started');
  spawnSync('git', ['init', '--quiet', '--bare', join(checkout, 'origin')]);
  const hook = join(checkout, 'origin/hooks/pre-receive');
  writeFileSync(hook, `#!/bin/sh\ntouch '${trace}'\n`, { mode: 0o755 });
  here('update-ref', REF, 'HEAD');
  expect(await pushBases(checkout, { env })).toContain('no remote called origin');
  expect(existsSync(trace)).toBe(false);
});

test('git at the remote uses no settings that a commit can change', async () => {
  const { checkout, env, here, there } = await openCheckout();
  here('update-ref', REF, 'HEAD');
  writeFileSync(join(checkout, 'settings'), '[url "/other/"]\n\tinsteadOf = https://\n');
  here('config', 'include.path', '../settings');
  expect(await pushBases(checkout, { env })).toContain('`settings`, which is part of the checkout');
  here('config', '--unset', 'include.path');
  expect(await pushBases(checkout, { env })).toBeNull();
  expect(there()).not.toBe('');
});

test('git and the programs that it starts get no meshform variables', async () => {
  const { checkout, env, here } = await openCheckout();
  const seen = join(checkout, '.git/environment');
  here('config', 'credential.helper', `!env > '${seen}'; true`);
  const other = { ...env, GITHUB_TOKEN: 'ghs_other', MESHFORM_TOKEN: 'nbp_token' };
  expect(await pushBases(checkout, { env: other })).toContain('cannot be pushed');
  const variables = readFileSync(seen, 'utf8');
  expect(variables).toContain('PATH=');
  expect(variables).not.toMatch(/MESHFORM|nbp_token|ghs_other/);
});
