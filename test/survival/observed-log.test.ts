// A proof: whatever a traffic log does while it is read, and whenever the collector is killed, every record that the log showed for the
// whole of a look is stored, and none is stored twice.
import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type LastObservation, observeOnce } from '../../src/cli/observe/observeOnce.ts';
import { seededRandom } from '../../src/emulator/index.ts';
import { ApiError } from '../../src/model/errors.ts';
import { readObserved } from '../../src/read/observations/readObserved.ts';
import { StoreWriter } from '../../src/read/observations/writeStore.ts';
import type { Observed } from '../../src/usage/observed.ts';
import { inFolder } from '../support/cli.ts';
import { patience, proof } from '../support/proof.ts';
import { ChangingLog, type ShownRecord } from './changingLog.ts';

const RUNS = { slice: 3, full: 1_000 };
const START = Date.parse('2026-11-01T23:00:00Z');
const MINUTE = 60_000;
const MINUTES = 90;
const QUIET = { write: () => {}, isTerminal: false };

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Observes the log, with restarts in between; resolves to the observations that were stored. */
async function observe(
  log: ChangingLog,
  folder: string,
  random: () => number,
): Promise<readonly Span[]> {
  const looks: Span[] = [];
  let writer: StoreWriter | null = null;
  let last: LastObservation | null = null;
  const end = START + MINUTES * MINUTE;
  while (log.now < end) {
    const begun = log.now;
    writer ??= await StoreWriter.open(folder, { server: '', account: '', hasPeople: false });
    const store = { name: 'store', writer, keep: () => Promise.resolve() };
    const observing = {
      store,
      transport: log.transport,
      server: 'https://example.com',
      concurrency: 1,
      keep: 180 * 1440 * MINUTE,
    };
    try {
      const looked: { last: LastObservation } = await observeOnce(observing, last, {
        now: () => log.now,
        stderr: QUIET,
      });
      last = looked.last;
      looks.push({ from: begun, to: log.now });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
    const fate = random();
    if (fate < 0.05) await writer.compact();
    if (fate > 0.85) {
      // The process is gone, in the middle of a line of the journal or not, and comes back some time later.
      await writer.close();
      if (fate > 0.93)
        await appendFile(join(folder, writer.manifest.journal), '0123456789abcdef {"span":');
      writer = null;
      last = null;
      if (fate > 0.97) log.now += Math.floor(random() * 30 * MINUTE);
    }
    log.now = Math.max(log.now, begun + MINUTE);
  }
  await writer?.close();
  return looks;
}

function startsByPort({ flows }: Observed): ReadonlyMap<number | null, number> {
  const starts = new Map<number | null, number>();
  for (const { port, days } of flows)
    for (const { starts: count } of days.values())
      starts.set(port, (starts.get(port) ?? 0) + count);
  return starts;
}

const isShownIn =
  ({ arrives, leaves }: ShownRecord) =>
  ({ from, to }: Span): boolean =>
    arrives <= from && leaves > to;

test('every record that a log shows during an observation is stored once', {
  timeout: patience(RUNS, 500),
}, async () => {
  const { count, seed, found } = proof(
    'records of a traffic log that changes while it is read',
    RUNS,
  );
  let stored = 0;
  let due = 0;
  for (let run = 0; run < count; run++) {
    const random = seededRandom(seed * 100_003 + run);
    const log = new ChangingLog(START, MINUTES, random);
    await inFolder(async folder => {
      const looks = await observe(log, folder, random);
      const { observed } = await readObserved(folder, { from: 0, to: START * 2 });
      const starts = startsByPort(observed);
      const wrong = log.records.flatMap(record => {
        const times = starts.get(record.port) ?? 0;
        const isDue = looks.some(isShownIn(record));
        if (isDue) due += 1;
        stored += times;
        return times > 1 || (isDue && times === 0) ? `${record.port}: ${times} times` : [];
      });
      expect(wrong, `seed ${seed}, run ${run}`).toEqual([]);
      await rm(folder, { recursive: true });
    });
  }
  found(`${due} records had to be stored, ${stored} were, none twice`);
});
