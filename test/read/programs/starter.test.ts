// The starter runs programs as this process would, and no program outlives the process that asked for it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Program, Started } from '../../../src/read/programs/program.ts';
import { startByStarter } from '../../../src/read/programs/starter.ts';
import { startHere } from '../../../src/read/programs/startHere.ts';

const ENV = { PATH: process.env.PATH ?? '' };

const shell = (script: string, changes: Partial<Program> = {}): Program => ({
  file: 'sh',
  args: ['-c', script],
  env: ENV,
  input: '',
  leadsGroup: false,
  largestOutput: 1000,
  ...changes,
});

async function byStarter(program: Program): Promise<Started> {
  const started = await startByStarter(program);
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

  test('gets only the given variables, and runs in the folder of this process', async () => {
    const program = { ...shell(''), file: '/usr/bin/env', args: [], env: { ONLY: 'this' } };
    expect((await ended(program)).stdout).toBe('ONLY=this\n');
    expect((await ended(shell('pwd -P'))).stdout).toBe(`${process.cwd()}\n`);
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

  test('is terminated together with its group', async () => {
    const started = await start(shell('sleep 600 & echo $!; wait', { leadsGroup: true }));
    while (started.pid() === undefined) await turn();
    const leader = Number(started.pid());
    started.terminate();
    expect((await started.ended).code).toBeNull();
    await expect.poll(() => isThere(-leader)).toBe(false);
  });
});

/** Lets other work of this process happen. */
const turn = () => new Promise(resolve => setImmediate(resolve));

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A process that starts a program by the starter, and writes the number of the program to its output. */
const PARENT = `
import { startByStarter } from ${JSON.stringify(join(ROOT, 'src/read/programs/starter.ts'))};
const started = await startByStarter({
  file: 'sleep', args: ['600'], env: ${JSON.stringify(ENV)}, input: '', leadsGroup: false, largestOutput: 10,
});
while (started.pid() === undefined) await new Promise(resolve => setImmediate(resolve));
console.log(started.pid());
`;

test('a program ends after the process that asked for it was killed', async () => {
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', PARENT], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(parent.stdout, 'data');
  const program = Number(line);
  expect(process.kill(program, 0)).toBe(true);
  parent.kill('SIGKILL');
  await once(parent, 'close');
  await expect.poll(() => isThere(program), { timeout: 30_000 }).toBe(false);
});

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
