// A secret that is shown once, in the whole way of the action: an apply that ends in its middle, its comment, its summary and its outputs.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { BOT, PULL, REPOSITORY, startForge, TOKENS } from '../packaging/action/forge.ts';
import { startAccount } from '../support/account.ts';
import { reported } from '../support/secretSearch.ts';
import { someOf } from '../support/variations.ts';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const MASK = /^::add-mask::([0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12})$/m;

const FILES = {
  'groups.yaml': 'groups: [{ name: refused }]\n',
  'keys.yaml': 'setup_keys: [{ name: ci, type: reusable, expires_in: 86400 }]\n',
};

/** A job that applies these files; the forge has a pull request for its comment. */
async function openJob() {
  const folder = mkdtempSync(join(tmpdir(), 'meshform-test-'));
  const [account, forge] = await Promise.all([startAccount(), startForge()]);
  onTestFinished(async () => {
    await Promise.all([account.close(), forge.close()]);
    rmSync(folder, { recursive: true });
  });
  const at = (...path: string[]) => join(folder, ...path);
  for (const name of ['temp', 'journals', 'network']) mkdirSync(at(name));
  for (const [name, content] of Object.entries(FILES)) writeFileSync(at('network', name), content);
  // A runner makes these files.
  for (const name of ['variables', 'output']) writeFileSync(at(name), '');
  writeFileSync(at('event.json'), JSON.stringify({ pull_request: { number: PULL } }));
  const run = async (args: string) => {
    const child = spawn(process.execPath, [join(CHECKOUT, 'action/main.ts')], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        RUNNER_TEMP: at('temp'),
        GITHUB_ACTIONS: 'true',
        GITHUB_ENV: at('variables'),
        GITHUB_OUTPUT: at('output'),
        GITHUB_STEP_SUMMARY: at('summary'),
        GITHUB_EVENT_PATH: at('event.json'),
        GITHUB_REPOSITORY: REPOSITORY,
        GITHUB_API_URL: forge.url,
        GITHUB_TOKEN: TOKENS.job,
        INPUT_COMMAND: 'apply',
        INPUT_PATH: 'network',
        INPUT_ARGS: args,
        MESHFORM_URL: account.url,
        MESHFORM_TOKEN: account.token,
        MESHFORM_JOURNALS: at('journals'),
      },
    });
    const ended = new Promise<number | null>(settle => child.on('close', settle));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await ended, stdout, stderr };
  };
  const comments = () =>
    forge.state.comments.filter(({ user }) => user.login === BOT).map(({ body }) => body);
  return { account, at, comments, run };
}

/** What a runner reads as one value of an output or a variable. */
const VALUE = /^\w+<<(end-[\w-]+)\n[\s\S]*?\n\1\n/gm;

test.each(
  someOf(
    [
      ['github', 'output'],
      ['github:env', 'variables'],
    ] as const,
    1,
  ),
)(
  'a new secret is in the mask and in the file for later steps, and nowhere else: with %s',
  async (place, file) => {
    const { account, at, comments, run } = await openJob();
    const status = { effect: 'status', status: 422, times: 1 };
    await account.fault({ method: 'POST', path: '/api/groups', ...status });
    const { code, stdout, stderr } = await run(`--secrets-to ${place}`);
    expect(code, stderr).toBe(4);
    // The mask is a command to the runner, and a line of its own.
    const [mask = '', secret = ''] = MASK.exec(stderr) ?? [];
    expect(secret).not.toBe('');
    const handed = readFileSync(at(file), 'utf8').match(VALUE) ?? [];
    const [value = '', ...more] = handed.filter(text => text.includes(secret));
    expect(value).toMatch(/^setup_key_ci_key<</i);
    expect(more).toEqual([]);
    const [comment = ''] = comments();
    expect(comment).toContain('> ❌ `apply` ended with exit code 4.');
    expect(comment).toContain('group.refused');
    const journals = readdirSync(at('journals'), { recursive: true, withFileTypes: true });
    const kept = journals
      .filter(entry => entry.isFile())
      .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    expect(kept.join('')).not.toBe('');
    const shown = new Map([
      ['comments', comments().join('\n')],
      ['standard output', stdout],
      ['standard error', stderr.replace(mask, '')],
      ['summary', readFileSync(at('summary'), 'utf8')],
      ['outputs', readFileSync(at('output'), 'utf8').replace(value, '')],
      ['variables', readFileSync(at('variables'), 'utf8').replace(value, '')],
      ['journals', kept.join('\n')],
      ['temporary files', readdirSync(at('temp')).join('\n')],
    ]);
    const secrets = new Map([
      ['the key', secret],
      ['the token of the account', account.token],
      ['the token of the job', TOKENS.job],
    ]);
    expect(reported(shown, secrets)).toEqual([]);
  },
);

test('the comment of a refused apply says why it was refused', async () => {
  const { comments, run } = await openJob();
  const { code } = await run('');
  expect(code).toBe(6);
  const [comment = ''] = comments();
  expect(comment).toContain('> ❌ `apply` ended with exit code 6.\n');
  expect(comment).toContain('Error: the plan has hazards that are not allowed:\n  REVEALS_SECRET');
});
