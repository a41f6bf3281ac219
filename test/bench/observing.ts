// The store of observed traffic: its size, and the time and memory of collecting and reading it. The records of a month come in the
// order of their time, half of them from each end of a flow.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DAY_MS } from '../../src/usage/observed.ts';
import { collectMonth, MONTH } from './collectMonth.ts';
import { drawnWays } from './drawnRecords.ts';
import type { Ground } from './extent.ts';
import type { Figure } from './figures.ts';
import { peakMemory, timed } from './processes.ts';

const READER = fileURLToPath(new URL('readObserved.ts', import.meta.url));
const MEGABYTE = 1_000_000;

/** Measures a month of records. */
export async function observing({ folder, extent }: Ground): Promise<readonly Figure[]> {
  const records = extent.isQuick ? 100_000 : 5_000_000;
  const store = join(folder, 'observed');
  const begun = performance.now();
  await collectMonth(store, { ways: drawnWays(1_000, 20_000), records });
  const written = performance.now() - begun;
  const size = readdirSync(store).reduce((sum, name) => sum + statSync(join(store, name)).size, 0);
  const argv = [READER, store, String(MONTH.from), String(MONTH.from + MONTH.days * DAY_MS)];
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
