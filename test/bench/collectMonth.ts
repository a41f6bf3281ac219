// A store with the traffic of a month, collected a part at a time as `observe` does.

import type { JsonObject } from '../../src/model/value.ts';
import { StoreWriter } from '../../src/read/observations/writeStore.ts';
import { DAY_MS } from '../../src/usage/observed.ts';
import { endpointsIn } from '../../src/usage/records/places.ts';
import { trafficRecord } from '../../src/usage/records/trafficRecord.ts';
import { dayOfRecord } from '../../src/usage/store/collect.ts';
import {
  nextObservation,
  type ObservedNow,
  pastOf,
} from '../../src/usage/store/nextObservation.ts';
import { drawnRecords, type Way } from './drawnRecords.ts';

export const MONTH = { from: Date.parse('2026-10-01T00:00:00Z'), days: 30 } as const;

/** What happens in the month. */
export interface Month {
  readonly ways: readonly Way[];
  readonly records: number;
  /** The account on each day, and all machines; without it, the records are those of an exported log. */
  readonly account?: {
    readonly on: (day: number) => JsonObject;
    readonly machines: readonly string[];
  };
}

/** Collects the month into a folder. */
export async function collectMonth(folder: string, month: Month): Promise<void> {
  const store = await StoreWriter.open(folder, { server: '', account: '', hasPeople: false });
  const endpointOf = endpointsIn(null);
  const drawn = { ...month, ...MONTH };
  const parts = Math.ceil(month.records / 10_000);
  let part = 0;
  let begin: number = MONTH.from;
  const append = async (seen: ObservedNow): Promise<void> => {
    await store.load(new Set(seen.records.map(dayOfRecord)));
    const past = pastOf(store.states, {
      counted: (day, number) => store.counted(day, number),
      signs: (day, machine) => store.signs(day, machine),
    });
    await store.append(nextObservation(seen, past, endpointOf).observation);
    if (store.isDue(0)) await store.compact();
  };
  await append({ ...lookAt(begin, begin, month), records: [] });
  for (const bodies of drawnRecords(drawn)) {
    part += 1;
    const end = MONTH.from + Math.floor((part / parts) * MONTH.days * DAY_MS);
    const records = bodies.flatMap(body => trafficRecord(body) ?? []);
    await append({ ...lookAt(begin, end, month), records });
    begin = end;
  }
  await store.compact();
  await store.close();
}

function lookAt(begin: number, end: number, { account }: Month): Omit<ObservedNow, 'records'> {
  if (account === undefined) return { span: null, account: null, gaps: [] };
  const day = Math.min(Math.floor((end - MONTH.from) / DAY_MS), MONTH.days - 1);
  const seen = { answers: account.on(day), connected: account.machines, log: null };
  return {
    span: { from: begin, to: end },
    account: { span: { from: end, to: end }, ...seen },
    gaps: [],
  };
}
