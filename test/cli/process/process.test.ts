// Meshform as a process: the launcher on old and new Nodes, the emulator's one line, its end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { inFolder } from '../../support/cli.ts';
import { git } from '../../support/git.ts';
import { LAUNCHER } from '../../support/program/program.ts';

/** The program as it is written, also where it has been built. */
const SOURCE = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));
const COMPANY = fileURLToPath(new URL('../../../examples/company', import.meta.url));
/** Makes this Node look like an old one to the script it runs. */
const AS_NODE_20 = [
  '--import',
  "data:text/javascript,if(!process.env.AGAIN){process.env.AGAIN='1';Object.defineProperty(process.versions,'node',{value:'20.1.0'})}",
];

async function start(args: readonly string[], input = '') {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

describe('the launcher', () => {
  test('runs on a new enough Node, and passes on the exit code', async () => {
    const ended = await start([LAUNCHER, 'explain', 'nothing']);
    expect(ended.code).toBe(64);
    expect(ended.stderr).toContain('unknown kind `nothing`');
  });

  test('loads the Node modules for stdin and git only for commands that use them', () =>
    inFolder(async folder => {
      const piped = await start([LAUNCHER, 'apply', '-', '--yes'], '{}');
      expect(piped.stderr).toContain('it is JSON, but it is not a plan');
      expect(piped.code).toBe(3);
      git(folder, 'init', '--quiet');
      await writeFile(join(folder, 'a.yaml'), 'groups: [{ name: a }]\n');
      const server = ['--url', 'http://127.0.0.1:1', '--token-file', join(folder, 'a.yaml')];
      const plan = [LAUNCHER, 'plan', folder, '--base', 'HEAD', ...server];
      expect((await start(plan)).stderr).toContain(
        'is neither a revision in this repository nor a folder\n',
      );
    }));

  test('prints the same version as the program', async () => {
    const [launcher, program] = await Promise.all([
      start([LAUNCHER, '--version']),
      start([SOURCE, '--version']),
    ]);
    expect(launcher).toEqual(program);
    expect(launcher).toMatchObject({ code: 0, stderr: '' });
  });

  test('the launcher on an old Node runs itself on the Node of the checkout', async () => {
    const ended = await start([...AS_NODE_20, LAUNCHER, '--version']);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('the launcher on an old Node without a newer one in the checkout says so in one line and exits 69', () =>
    inFolder(async folder => {
      await mkdir(join(folder, 'bin'));
      await cp(LAUNCHER, join(folder, 'bin/meshform.mjs'));
      const ended = await start([...AS_NODE_20, join(folder, 'bin/meshform.mjs'), 'plan']);
      expect(ended.code).toBe(69);
      expect(ended.stdout).toBe('');
      expect(ended.stderr).toMatch(/^meshform needs Node\.js 24 or newer; this is v.*\.\n$/);
    }));
});

test('a command runs to its end even if its output pipe is closed', async () => {
  const child = spawn(process.execPath, [LAUNCHER, 'validate', COMPANY], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(stderr).toBe('');
  expect(code).toBe(0);
});

test('--version loads only the launcher, and commands that only read files load neither the engine nor HTTP', async () => {
  const listing = `import { registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => (console.error(url), next(url, context)) });`;
  const args = ['--import', `data:text/javascript,${encodeURIComponent(listing)}`];
  const version = await start([...args, LAUNCHER, '--version']);
  expect(version.stderr.match(/^file:/gm)).toHaveLength(1);
  const { stderr } = await start([...args, SOURCE, 'validate', COMPANY]);
  expect(stderr).toContain('/src/source/load.ts');
  expect(stderr).not.toMatch(/undici|\/src\/(?:engine\/plan|execute|wire|emulator)/);
});

describe('the emulator as a process', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    'prints one line when it accepts requests, and ends with 0 on %s',
    async signal => {
      const child = spawn(process.execPath, [LAUNCHER, 'emulator', '--format', 'json'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const lines: string[] = [];
      const reader = createInterface({ input: child.stdout });
      reader.on('line', line => lines.push(line));
      await once(reader, 'line');
      const { url, token, ...rest } = JSON.parse(lines[0] ?? '');
      expect(rest).toEqual({});
      const answer = await fetch(`${url}/api/groups`, {
        headers: { authorization: `Token ${token}` },
      });
      expect(answer.status).toBe(200);
      child.kill(signal);
      const [code] = await once(child, 'exit');
      expect(code).toBe(0);
      expect(lines).toHaveLength(1);
    },
  );
});

test('help lists every environment variable with its meaning', async () => {
  const { stdout } = await start([LAUNCHER, '--help']);
  for (const name of ['MESHFORM_URL', 'MESHFORM_TOKEN', 'MESHFORM_VAR_X'])
    expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
});
