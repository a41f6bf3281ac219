// An emulator with a file is killed at moments left to chance, in the middle of writes. Whatever it had answered is there
// when the file is opened again, and nothing by halves.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { seededRandom } from '../../../src/emulator/index.ts';
import { LAUNCHER } from '../../support/program/program.ts';
import { patience, proof } from '../../support/proof.ts';
import { below, type Draw } from '../fuzz/draw.ts';
import { verdict } from './verdict.ts';
import { newLedger, RefusedWrite, type Send, writeOn } from './writers.ts';

const TOKEN = 'the-token-of-the-kills';
const RUNS = { slice: 4, full: 1000 };
const WRITERS = 4;
/** Emulators that live and die side by side, each with files of its own. */
const LANES = 2;
/** After that many kills a new file is begun, lest each costs more than the last. */
const KILLS_A_FILE = 50;

it(
  'every acknowledged write survives a kill, and no cascade is half done',
  async () => {
    const { count, seed, found } = proof('kills of an emulator in the middle of writes', RUNS);
    const random = seededRandom(seed);
    const folder = await mkdtemp(join(tmpdir(), 'meshform-kills-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    let kills = 0;
    const lane = async (name: number): Promise<number> => {
      let ledger = newLedger();
      let acknowledged = 0;
      for (let own = 0; kills < count; own += 1) {
        kills += 1;
        if (own % KILLS_A_FILE === 0) ledger = newLedger();
        const file = join(folder, `${name}-${Math.floor(own / KILLS_A_FILE)}.db`);
        const before = ledger.acknowledged;
        await untilKilled(file, ledger, random);
        acknowledged += ledger.acknowledged - before;
        expect(verdict(file, ledger), `seed ${seed}, kill ${own} of lane ${name}`).toEqual([]);
      }
      return acknowledged;
    };
    const counts = await Promise.all(Array.from({ length: LANES }, (_, name) => lane(name)));
    const acknowledged = counts.reduce((sum, one) => sum + one, 0);
    found(`${acknowledged} writes were acknowledged, none was lost, nothing was left half done`);
    expect(acknowledged).toBeGreaterThan(count);
  },
  patience(RUNS, 10_000),
);

async function untilKilled(
  file: string,
  ledger: ReturnType<typeof newLedger>,
  draw: Draw,
): Promise<void> {
  const flags = ['--db', file, '--token', TOKEN, '--format', 'json'];
  const child = spawn(process.execPath, [LAUNCHER, 'emulator', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const ended = once(child, 'exit');
  const send = sender(JSON.parse(await firstLine(child)).url);
  // The moment is a number of answers, and after them a number of turns of the loop: writes are under way all the time.
  let answers = 1 + below(draw, 40);
  const reported = () => {
    answers -= 1;
    if (answers === 0) afterTurns(below(draw, 6), () => child.kill('SIGKILL'));
  };
  const writers = Array.from({ length: WRITERS }, () => writeOn(send, ledger, { draw, reported }));
  const ends = await Promise.allSettled(writers);
  await ended;
  for (const end of ends)
    expect(end).toMatchObject({ reason: expect.objectContaining({ message: 'fetch failed' }) });
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the child has no output');
  for await (const line of createInterface({ input: stdout })) return line;
  throw new Error('the child ended before it listened');
}

function sender(url: string): Send {
  return async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Token ${TOKEN}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text().catch(error => {
      // Half an answer is none.
      throw new TypeError('fetch failed', { cause: error });
    });
    if (response.status !== 200) throw new RefusedWrite(`${method} ${path}: ${text}`);
    return JSON.parse(text);
  };
}

function afterTurns(turns: number, work: () => void): void {
  if (turns === 0) work();
  else setImmediate(() => afterTurns(turns - 1, work));
}
