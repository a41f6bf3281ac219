// A proof: the process that observes is killed at drawn moments, in the middle of a look or of what it writes, and started again. Every
// record is stored once, none is lost, and no run needs help.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { seededRandom } from '../../src/emulator/index.ts';
import { readObserved } from '../../src/read/observations/readObserved.ts';
import type { Observed } from '../../src/usage/observed.ts';
import { type ObservedServer, policy, serveObserved } from '../cli/observe/observedServer.ts';
import { inFolder } from '../support/cli.ts';
import { LAUNCHER } from '../support/program/program.ts';
import { patience, proof } from '../support/proof.ts';
import { flowAt } from '../usage/store/storedRecords.ts';

const RUNS = { slice: 12, full: 600 };
/** Each store is written by so many processes, of which only the last one is left alone. */
const STORES_OF = 6;
const MOST_RECORDS = 40;
const HOUR = 3_600_000;

type Random = () => number;

/** When a process is killed: at the nth request, or at the nth change in its folder, and so many turns later. */
interface Moment {
  readonly at: 'request' | 'change';
  readonly nth: number;
  readonly turns: number;
}

function drawnMoment(random: Random): Moment {
  const below = (limit: number) => Math.floor(random() * limit);
  return random() < 0.3
    ? { at: 'request', nth: 1 + below(20), turns: below(40) }
    : { at: 'change', nth: 1 + below(30), turns: below(20) };
}

function afterTurns(turns: number, work: () => void): void {
  if (turns === 0) work();
  else setImmediate(() => afterTurns(turns - 1, work));
}

interface Observer {
  readonly server: ObservedServer;
  readonly folder: string;
}

/** Observes once as a process. Resolves to whether it was killed; a process that ends by itself must have ended well. */
async function observed(
  { server, folder }: Observer,
  words: readonly string[],
  moment: Moment | null,
): Promise<boolean> {
  const argv = [LAUNCHER, 'observe', '--store', folder, ...words];
  const child = spawn(process.execPath, argv, {
    stdio: ['ignore', 'ignore', 'pipe'] as const,
    env: { ...server.env, PATH: process.env.PATH },
  });
  const seen = { request: 0, change: 0 };
  const onEvent = (at: Moment['at']) => {
    seen[at] += 1;
    if (moment?.at === at && moment.nth === seen[at])
      afterTurns(moment.turns, () => child.kill('SIGKILL'));
  };
  server.shown.onRequest = () => onEvent('request');
  const watcher = watch(folder, () => onEvent('change'));
  const [stderr, [code, signal]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  watcher.close();
  if (signal === null) expect(code, stderr).toBe(0);
  return signal !== null;
}

/** Lets the log and the account go on. */
function goOn({ shown }: ObservedServer, random: Random): void {
  const first = shown.records.length + 1;
  const fresh = Array.from({ length: 1 + Math.floor(random() * MOST_RECORDS) }, (_, at) => {
    const port = first + at;
    const destination = { id: 'm2', type: 'PEER', address: `100.64.0.2:${port}` };
    return flowAt(`f${port}`, Date.now() - random() * 30 * HOUR, { destination });
  });
  shown.records = [...fresh, ...shown.records];
  if (random() < 0.3) shown.policies = [policy('web', String(1 + Math.floor(random() * 9)))];
}

const WAYS: readonly (readonly string[])[] = [[], [], ['--forget', 'id:m9']];

const startsOf = ({ flows }: Observed): readonly (readonly [number, number])[] =>
  flows
    .map(({ port, days }) => {
      const starts = days.values().reduce((sum, counts) => sum + counts.starts, 0);
      return [Number(port), starts] as const;
    })
    .sort(([one], [other]) => one - other);

test('a store whose writers are killed at random moments contains every record once', {
  timeout: patience(RUNS, 4_000),
}, async () => {
  const { count, seed, found } = proof('kills of a process that observes', RUNS);
  const figures = { killed: 0, records: 0 };
  for (let store = 0; store * STORES_OF < count; store++) {
    const random = seededRandom(seed * 100_003 + store);
    const server = await serveObserved();
    await inFolder(async parent => {
      const folder = join(parent, 'store');
      mkdirSync(folder, { mode: 0o700 });
      const observer = { server, folder };
      for (let run = 1; run < STORES_OF; run++) {
        goOn(server, random);
        // Forgetting a machine that nobody knows writes the whole store anew.
        const words = WAYS[Math.floor(random() * WAYS.length)] ?? [];
        if (await observed(observer, words, drawnMoment(random))) figures.killed += 1;
      }
      await observed(observer, [], null);
      const stored = await readObserved(folder, { from: 0, to: Number.MAX_SAFE_INTEGER });
      const expected = server.shown.records.map((_, at) => [at + 1, 1]);
      expect(startsOf(stored.observed), `seed ${seed}, store ${store}`).toEqual(expected);
      figures.records += expected.length;
    });
  }
  found(`${figures.killed} processes killed; ${figures.records} records, each stored once`);
  expect(figures.killed).toBeGreaterThan(count / 3);
});
