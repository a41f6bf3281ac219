// The starter runs programs as this process would, and no program outlives the process that asked for it.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { EndGroup } from '../../../src/read/environment.ts';
import type { Program, Started } from '../../../src/read/programs/program.ts';
import { startByStarter } from '../../../src/read/programs/starter.ts';
import { startHere } from '../../../src/read/programs/startHere.ts';
import { inFolder } from '../../support/cli.ts';

const ENV = { PATH: process.env.PATH ?? '' };

const shell = (script: string, changes: Partial<Program> = {}): Program => ({
  file: 'sh',
  args: ['-c', script],
  env: ENV,
  input: '',
  largestOutput: 1000,
  ...changes,
});

async function byStarter(program: Program, endGroup?: EndGroup): Promise<Started> {
  const started = await startByStarter(program, endGroup);
  if (started === null) throw new Error('there is no starter');
  return started;
}

describe.each([
  ['this process', startHere],
  ['the starter', byStarter],
])('a program that %s starts', (_, start) => {
  const ended = async (program: Program) => {
    const { code, stdout, stderr, isTooLarge } = await (await start(program)).ended;
    return {
      code,
      stdout: String(Buffer.from(stdout)),
      stderr: String(Buffer.from(stderr)),
      isTooLarge,
    };
  };

  test('reads its input, and returns its outputs and its exit code', async () => {
    const program = shell('cat; echo wrong >&2; exit 3', { input: 'läuft\n' });
    expect(await ended(program)).toEqual({
      code: 3,
      stdout: 'läuft\n',
      stderr: 'wrong\n',
      isTooLarge: false,
    });
  });

  test('gets only the given variables, and runs in the root folder', async () => {
    const program = { ...shell(''), file: '/usr/bin/env', args: [], env: { ONLY: 'this' } };
    expect((await ended(program)).stdout).toBe('ONLY=this\n');
    expect((await ended(shell('pwd -P'))).stdout).toBe('/\n');
  });

  test('that is not on its PATH rejects with the code of the system', async () => {
    const program = { ...shell(''), file: 'no-such-program' };
    await expect(start(program).then(one => one.ended)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('is ended when its output becomes too large', async () => {
    expect(await ended(shell('yes'))).toMatchObject({ code: null, isTooLarge: true });
  });

  test('may end before it has read its input', async () => {
    const program = shell('exit 4', { input: Buffer.alloc(1_000_000) });
    expect(await ended(program)).toMatchObject({ code: 4 });
  });

  test('is ended together with its group', () =>
    inFolder(async folder => {
      const note = join(folder, 'pids');
      const script = `sleep 600 & echo $$ $! > '${note}.new'; mv '${note}.new' '${note}'; wait`;
      const started = await start(shell(script), leader => {
        process.kill(-leader);
      });
      const [, child] = await pidsIn(note);
      started.end();
      expect((await started.ended).code).toBeNull();
      await expect.poll(() => isRunning(Number(child))).toBe(false);
    }));
});

/** The numbers of processes that a program notes in a file. */
async function pidsIn(file: string): Promise<readonly string[]> {
  await expect.poll(() => existsSync(file), { timeout: 30_000 }).toBe(true);
  return readFileSync(file, 'utf8').trim().split(' ');
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A process that starts a program by the starter. */
const parentOf = (program: Program): string => `
import { startByStarter } from ${JSON.stringify(join(ROOT, 'src/read/programs/starter.ts'))};
await startByStarter(${JSON.stringify(program)});
`;

test('a program ends after the process that asked for it was killed', () =>
  inFolder(async folder => {
    const note = join(folder, 'pid');
    const program = shell(`echo $$ > '${note}.new'; mv '${note}.new' '${note}'; exec sleep 600`);
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', parentOf(program)]);
    const [pid] = await pidsIn(note);
    expect(isRunning(Number(pid))).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => isRunning(Number(pid)), { timeout: 30_000 }).toBe(false);
  }));

/** Asks for so many programs that the starter is used, for one that kills the starter, and for one more. */
const KILLS_STARTER = `
import { outputOf } from ${JSON.stringify(join(ROOT, 'src/read/programs/startProgram.ts'))};
const sh = script => outputOf(
  { file: 'sh', args: ['-c', script], env: ${JSON.stringify(ENV)}, input: '', largestOutput: 100 },
  { timeout: 0 },
);
for (let i = 0; i < 24; i += 1) await sh('true');
await sh('kill -9 $PPID; cat').catch(error => console.log(error.message));
console.log(String(await sh('echo started')));
`;

/** Stops the starter while a program runs, whose time is then over. */
const STOPS_STARTER = `
import { outputOf } from ${JSON.stringify(join(ROOT, 'src/read/programs/startProgram.ts'))};
const sh = (script, timeout = 0) => outputOf(
  { file: 'sh', args: ['-c', script], env: ${JSON.stringify(ENV)}, input: '', largestOutput: 100 },
  { timeout },
);
for (let i = 0; i < 24; i += 1) await sh('true');
await sh('kill -STOP $PPID; sleep 30', 100).catch(error => console.log(error.message));
`;

test('a stopped starter delays the end of a program by seconds at most', () => {
  const args = ['--input-type=module', '--eval', STOPS_STARTER];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 25_000 });
  expect(stdout).toBe('the process that starts programs was ended from outside\n');
});

test('after somebody has killed the starter, programs are started without it', () => {
  const args = ['--input-type=module', '--eval', KILLS_STARTER];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
  expect(stdout.trim().split('\n')).toEqual([
    'the process that starts programs was ended from outside',
    'started',
  ]);
});

// A process that has ended stays in the list until its parent, or the first process of the system, has asked how it ended.
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
