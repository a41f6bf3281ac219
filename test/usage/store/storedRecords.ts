// Records and looks for tests of the store.
import type { JsonObject } from '../../../src/model/value.ts';
import type { StoreWriter } from '../../../src/read/observations/writeStore.ts';
import { endpointsIn } from '../../../src/usage/records/places.ts';
import { type TrafficRecord, trafficRecord } from '../../../src/usage/records/trafficRecord.ts';
import { dayOfRecord } from '../../../src/usage/store/collect.ts';
import {
  nextObservation,
  type ObservedNow,
  pastOf,
} from '../../../src/usage/store/nextObservation.ts';
import type { Observation } from '../../../src/usage/store/observation.ts';

/** Midnight. */
export const START = Date.parse('2026-11-01T00:00:00Z');
export const HOUR = 3_600_000;

/** A flow from one machine to another that started at a time, with more or other fields. */
export const flowAt = (id: string, time: number, more: JsonObject = {}): JsonObject => ({
  flow_id: id,
  reporter_id: 'm2',
  source: { id: 'm1', type: 'PEER', address: '100.64.0.1:40000' },
  destination: { id: 'm2', type: 'PEER', address: '100.64.0.2:443' },
  protocol: 6,
  direction: 'INGRESS',
  policy: { id: 'p1' },
  events: [{ type: 'TYPE_START', timestamp: new Date(time).toISOString() }],
  ...more,
});

/** An account with two machines that a policy lets reach each other. */
export const account = (policy = 'p1'): JsonObject => ({
  peers: [
    { id: 'm1', ip: '100.64.0.1' },
    { id: 'm2', ip: '100.64.0.2' },
  ],
  groups: [{ id: 'g1', name: 'all', peers: ['m1', 'm2'] }],
  policies: [
    {
      id: policy,
      name: `policy ${policy}`,
      enabled: true,
      rules: [
        {
          id: 'r',
          name: 'web',
          protocol: 'tcp',
          ports: ['443'],
          sources: ['g1'],
          destinations: ['g1'],
        },
      ],
    },
  ],
});

/** What a look at a time saw; the log was read for the minute before it. */
export const seenAt = (
  time: number,
  bodies: readonly JsonObject[],
  answers: JsonObject = account(),
  connected: readonly string[] = ['m1'],
): ObservedNow => ({
  span: { from: time - 60_000, to: time },
  records: recordsOf(bodies),
  account: { span: { from: time, to: time }, answers, connected, log: null },
  gaps: [],
});

const recordsOf = (bodies: readonly JsonObject[]): readonly TrafficRecord[] =>
  bodies.flatMap(body => trafficRecord(body) ?? []);

/** What is seen becomes a look of the store. */
export async function lookFor(store: StoreWriter, seen: ObservedNow): Promise<Observation> {
  await store.load(new Set(seen.records.map(dayOfRecord)));
  const past = pastOf(store.states, {
    counted: (day, number) => store.counted(day, number),
    signs: (day, machine) => store.signs(day, machine),
  });
  return nextObservation(seen, past, endpointsIn(null)).observation;
}

export async function addTo(store: StoreWriter, seen: ObservedNow): Promise<void> {
  await store.append(await lookFor(store, seen));
}
