// The script of the apply container, as the shell of the image runs it: signals, exit codes, and when the base is pushed.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const SCRIPT = readFileSync(
  fileURLToPath(new URL('../../../charts/meshform/files/apply-and-push.sh', import.meta.url)),
  'utf8',
);

const VARIABLES = {
  MESHFORM_TOKEN: 'nbp_t',
  DEPLOY_KEY: 'a\nMESHFORM_B=c',
  GIT_SSH_COMMAND: 'ssh',
};

/** Starts the script with stand-ins for meshform and git; `meshform` is the body of a program of Node. */
function start(meshform: string, ...args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'meshform-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = (name: string, body: string) => {
    writeFileSync(join(folder, name), body);
    chmodSync(join(folder, name), 0o755);
  };
  program('meshform', `#!${process.execPath}\n${meshform}\n`);
  program('git', `#!/bin/sh\necho "$@" > '${folder}/pushed'\nenv > '${folder}/environment'\n`);
  const script = SCRIPT.replace('/desired/repository', folder);
  const child = spawn('sh', ['-euc', script, 'sh', ...args], {
    env: { PATH: `${folder}:${process.env.PATH}`, RECORDED_ACCOUNT: 'one', ...VARIABLES },
  });
  const output = text(child.stdout);
  const code = new Promise<number | null>(settle => child.on('close', settle));
  const pushed = () =>
    existsSync(join(folder, 'pushed')) ? readFileSync(join(folder, 'pushed'), 'utf8') : null;
  const environment = () => readFileSync(join(folder, 'environment'), 'utf8');
  return { child, output, code, pushed, environment };
}

// The timer ends the program with another code where the signal never arrives.
const WAITING = "setTimeout(() => process.exit(9), 20_000); console.log('ready');";
const handling = (code: number) =>
  `process.on('SIGTERM', () => setTimeout(() => process.exit(${code}), 50)); ${WAITING}`;

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s is passed to meshform, whose exit code is passed on',
  async name => {
    const { child, code, pushed } = start(handling(4));
    child.stdout.once('data', () => child.kill(name));
    expect(await code).toBe(4);
    expect(pushed()).toBeNull();
  },
);

test('a second signal is passed to meshform as well', async () => {
  const twice = `let count = 0; process.on('SIGTERM', () => {
    console.log('signal'); if (++count === 2) process.exit(7); }); ${WAITING}`;
  const { child, code } = start(twice);
  let seen = 0;
  child.stdout.on('data', () => {
    if (++seen < 3) child.kill('SIGTERM');
  });
  expect(await code).toBe(7);
});

test('the base of an apply that succeeds after a signal is pushed', async () => {
  const { child, code, pushed } = start(handling(0));
  child.stdout.once('data', () => child.kill('SIGTERM'));
  expect(await code).toBe(0);
  expect(pushed()).toMatch(
    / push --quiet origin refs\/meshform-base\/one\/\*:refs\/meshform-base\/one\/\*\n$/,
  );
});

test.each([1, 3, 5, 127])('exit code %i is passed on, and no base is pushed', async ended => {
  const { code, pushed } = start(`process.exit(${ended})`);
  expect(await code).toBe(ended);
  expect(pushed()).toBeNull();
});

test('arguments with spaces or shell characters are passed on unchanged', async () => {
  const { output, code, pushed } = start(
    'console.log(JSON.stringify(process.argv.slice(2)))',
    'apply',
    'a b',
    '$(id)',
  );
  expect(await code).toBe(0);
  expect(await output).toBe('["apply","a b","$(id)"]\n');
  expect(pushed()).not.toBeNull();
});

test('git gets its credentials, and neither the API token nor another secret', async () => {
  const { code, environment } = start('process.exit(0)');
  expect(await code).toBe(0);
  expect(environment()).toContain('GIT_SSH_COMMAND=ssh');
  expect(environment()).not.toMatch(/MESHFORM|DEPLOY_KEY/);
});

/** The first settings that keep git from programs which a checkout names. */
const HARDENED =
  /-c safe\.bareRepository=explicit -c core\.fsmonitor= -c core\.hooksPath=\/dev\/null -c protocol\.ext\.allow=never -c submodule\.recurse=false /;

test('git is configured to start no program of the files', async () => {
  const { code, pushed } = start('process.exit(0)');
  expect(await code).toBe(0);
  expect(pushed()).toMatch(HARDENED);
});

test('git that fetches the files is configured the same way, by the only function that starts it', () => {
  const template = fileURLToPath(
    new URL('../../../charts/meshform/templates/_helpers.tpl', import.meta.url),
  );
  const text = readFileSync(template, 'utf8').replaceAll(/\\\n\s*/g, '');
  const started = [...text.matchAll(/^\s*(?:safe_)?git .*$/gm)].map(([line]) => line.trim());
  // The new repository is empty, and nothing of a checkout is there yet.
  const [own = '', first, ...rest] = started;
  expect(own).toMatch(HARDENED);
  expect(first).toBe('git init --quiet /desired/repository');
  expect(rest.length).toBeGreaterThan(3);
  expect(rest.filter(line => !line.startsWith('safe_git '))).toEqual([]);
});
