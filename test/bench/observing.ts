// The store of observed traffic: its size, and the time and memory of collecting and reading it. The records of a month come in the
// order of their time, half of them from each end of a flow.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StoreWriter } from '../../src/read/observations/writeStore.ts';
import { DAY_MS } from '../../src/usage/observed.ts';
import { endpointsIn } from '../../src/usage/records/places.ts';
import { trafficRecord } from '../../src/usage/records/record.ts';
import { dayOfRecord } from '../../src/usage/store/collect.ts';
import { nextLook, pastOf } from '../../src/usage/store/nextLook.ts';
import { drawnRecords } from './drawnRecords.ts';
import type { Ground } from './extent.ts';
import type { Figure } from './figures.ts';
import { peakMemory, timed } from './processes.ts';

const FROM = Date.parse('2026-10-01T00:00:00Z');
const DAYS = 30;
const READER = fileURLToPath(new URL('readObserved.ts', import.meta.url));
const MEGABYTE = 1_000_000;

/** Measures a month of records. */
export async function observing({ folder, extent }: Ground): Promise<readonly Figure[]> {
  const records = extent.isQuick ? 100_000 : 5_000_000;
  const store = join(folder, 'observed');
  const begun = performance.now();
  await collect(store, records);
  const written = performance.now() - begun;
  const size = readdirSync(store).reduce((sum, name) => sum + statSync(join(store, name)).size, 0);
  const argv = [READER, store, String(FROM), String(FROM + DAYS * DAY_MS)];
  const command = { argv, cwd: folder };
  const common = { objects: records };
  return [
    {
      ...common,
      measure: 'store of a month of traffic records',
      value: size / MEGABYTE,
      unit: 'MB',
      target: '≤ 200',
    },
    { ...common, measure: 'traffic records into the store', value: written, unit: 'ms' },
    {
      ...common,
      measure: 'reading the store',
      value: await timed(command),
      unit: 'ms',
      target: '≤ 60,000',
    },
    {
      ...common,
      measure: 'reading the store, peak memory',
      value: await peakMemory(command),
      unit: 'MB',
      target: '≤ 1,000',
    },
  ];
}

async function collect(folder: string, records: number): Promise<void> {
  const identity = { server: '', account: '', hasPeople: false };
  const store = await StoreWriter.open(folder, identity);
  const endpointOf = endpointsIn(null);
  const drawn = { machines: 1_000, ways: 20_000, days: DAYS, records, from: FROM };
  for (const bodies of drawnRecords(drawn)) {
    const parsed = bodies.flatMap(body => trafficRecord(body) ?? []);
    await store.load(new Set(parsed.map(dayOfRecord)));
    const past = pastOf(store.states, {
      counted: (day, number) => store.counted(day, number),
      signs: (day, machine) => store.signs(day, machine),
    });
    const seen = { span: null, records: parsed, account: null, gaps: [] };
    await store.append(nextLook(seen, past, endpointOf).look);
    if (store.isDue(0)) await store.compact();
  }
  await store.compact();
  await store.close();
}
