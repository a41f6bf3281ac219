// Runs the shell blocks of a page as a reader would: one shell, in order, in an empty folder with a HOME of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Emulator, seededRandom, startEmulator } from '../../src/emulator/index.ts';
import { LAUNCHER } from '../support/program/program.ts';
import type { Block } from './blocks.ts';

/** What a clone holds that a reader uses, with the program built. */
const CLONE = dirname(dirname(LAUNCHER));

/** The address, the port and the token in the pages: the blocks run with those of an emulator in their place. */
const EXAMPLE_URL = 'https://api.example.com';
const EXAMPLE_PORT = '8080';
const EXAMPLE_TOKEN = 'nbp_exampleToken';

export interface RunBlock {
  readonly block: Block;
  readonly stdout: string;
  readonly stderr: string;
  /** The exit codes other than 0, in order. */
  readonly failed: readonly number[];
  /** The exit codes that the comments of the block announce: `# exit code 2`. */
  readonly announced: readonly number[];
}

/**
 * Runs the blocks of one page and returns what each shell block did. They begin in an empty folder with `meshform` on the path, or
 * in the clone with nothing on the path.
 */
export async function runPage(
  blocks: readonly Block[],
  from: 'folder' | 'clone',
): Promise<RunBlock[]> {
  const emulator = await startEmulator({
    dialect: 'netbird',
    controls: true,
    random: seededRandom(1),
  });
  const scratch = await mkdtemp(join(tmpdir(), 'meshform-page-'));
  try {
    const port = await freePort();
    const scripts = blocks.filter(({ use }) => use === 'run' || use === 'setup');
    await prepare(scratch, blocks, toReal(emulator, port));
    await runScript(scratch, blocks, { emulator, from });
    return await Promise.all(
      scripts.map(block => outcomeOf(scratch, block, toShown(emulator, port))),
    );
  } finally {
    await emulator.close();
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Translate = (text: string) => string;

function toReal({ url, token }: Emulator, port: number): Translate {
  return text =>
    text
      .replaceAll(EXAMPLE_URL, url)
      .replaceAll(EXAMPLE_TOKEN, token)
      .replaceAll(EXAMPLE_PORT, String(port));
}

/** Output as a page shows it: what differs from run to run has a fixed form. */
function toShown({ url, token }: Emulator, port: number): Translate {
  return text =>
    text
      .replaceAll(url, EXAMPLE_URL)
      .replaceAll(token, EXAMPLE_TOKEN)
      .replaceAll(String(port), EXAMPLE_PORT)
      .replaceAll(/sha256:[0-9a-f]{64}/g, 'sha256:…')
      .replaceAll(/\b(?=[a-v]*\d)[a-v\d]{20}\b/g, 'ch8i4ug6lnn4g9hqv7m0')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z/g, '2026-03-01T09-30-00.000Z')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '2026-03-01T09:30:00Z');
}

const pathOf = (scratch: string, block: Block, what: string): string =>
  join(scratch, 'blocks', `${what}-${block.line}`);

// The reader has `home` and `work`, which begin empty.
async function prepare(scratch: string, blocks: readonly Block[], real: Translate): Promise<void> {
  for (const folder of ['home', 'work', 'bin', 'blocks']) await mkdir(join(scratch, folder));
  await symlink(LAUNCHER, join(scratch, 'bin/meshform'));
  for (const block of blocks) {
    const { use, text } = block;
    // The `:` hides from the trap that the last command of a block failed: the trap has seen it already.
    if (use === 'run' || use === 'setup')
      await writeFile(pathOf(scratch, block, 'script'), `${real(text)}:\n`);
    if (use === 'file') await writeFile(pathOf(scratch, block, 'text'), real(text));
  }
}

async function runScript(
  scratch: string,
  blocks: readonly Block[],
  { emulator, from }: { readonly emulator: Emulator; readonly from: 'folder' | 'clone' },
): Promise<void> {
  const steps = blocks.flatMap(block => {
    const at = (what: string) => pathOf(scratch, block, what);
    if (block.use === 'file')
      return [`mkdir -p '${dirname(block.detail)}' && cp '${at('text')}' '${block.detail}'`];
    if (block.use !== 'run' && block.use !== 'setup') return [];
    return [
      `exec 9>'${at('failed')}'`,
      `. '${at('script')}' >'${at('stdout')}' 2>'${at('stderr')}'`,
    ];
  });
  const script = ['shopt -s expand_aliases', 'trap \'echo "$?" >&9\' ERR', ...steps, ''].join('\n');
  const child = spawn('bash', ['--noprofile', '--norc', '-c', script], {
    cwd: from === 'clone' ? CLONE : join(scratch, 'work'),
    stdio: 'ignore',
    // A loop of a page that never ends must not outlive the test.
    timeout: 220_000,
    killSignal: 'SIGKILL',
    // A page may leave programs in the background: they end with the group.
    detached: true,
    env: {
      HOME: join(scratch, 'home'),
      PATH: [
        ...(from === 'clone' ? [] : [join(scratch, 'bin')]),
        dirname(process.execPath),
        '/usr/bin',
        '/bin',
      ].join(':'),
      COLUMNS: '100',
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      MESHFORM_URL: emulator.url,
      MESHFORM_TOKEN: emulator.token,
      CONTROLS_TOKEN: emulator.controlsToken,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.com',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.com',
    },
  });
  await once(child, 'exit');
  endGroup(child.pid);
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {
    // Nothing was left in the background.
  }
}

async function outcomeOf(scratch: string, block: Block, shown: Translate): Promise<RunBlock> {
  const written = (what: string) =>
    readFile(pathOf(scratch, block, what), 'utf8').catch(() => `${what} was not written\n`);
  const announced = [...block.text.matchAll(/# exit code ([1-9]\d*)/g)];
  const failed = (await written('failed')).split('\n').filter(line => line !== '');
  return {
    block,
    stdout: shown(await written('stdout')),
    stderr: shown(await written('stderr')),
    failed: failed.map(Number),
    announced: announced.map(([, code]) => Number(code)),
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}
