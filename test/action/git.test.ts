// How git gets the token of a job: from a file, so that no variable of meshform's environment holds it in any form.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { gitEnv } from '../../action/git.ts';

const TOKEN = 'ghs_exampleToken';

function jobEnv(server: string): NodeJS.ProcessEnv {
  const folder = mkdtempSync(join(tmpdir(), 'meshform-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { PATH } = process.env;
  return { PATH, RUNNER_TEMP: folder, GITHUB_TOKEN: TOKEN, GITHUB_SERVER_URL: server };
}

test('git reads the token for the server of the job, and no variable holds it', () => {
  const env = gitEnv(jobEnv('https://forge.example.com'));
  const basic = Buffer.from(`x-access-token:${TOKEN}`).toString('base64');
  const values = Object.values(env).join('\n');
  expect(values).not.toContain(TOKEN);
  expect(values).not.toContain(basic);
  // Nothing is found for another server: git ends with 1 and prints nothing.
  const headerAt = (url: string) =>
    spawnSync('git', ['config', '--get-urlmatch', 'http.extraheader', url], {
      cwd: tmpdir(),
      env,
      encoding: 'utf8',
    }).stdout.trim();
  expect(headerAt('https://forge.example.com/a/b')).toBe(`AUTHORIZATION: basic ${basic}`);
  expect(headerAt('https://elsewhere.example.com/a/b')).toBe('');
  expect(statSync(env.GIT_CONFIG_VALUE_0 ?? '').mode & 0o077).toBe(0);
});

test('a server without https gets no token', () => {
  const env = gitEnv(jobEnv('http://forge.example.com'));
  expect(env.GIT_CONFIG_COUNT).toBeUndefined();
  expect(env.GITHUB_TOKEN).toBeUndefined();
});
