// A record of a log with a plausible time: the clock of a machine may be wrong by years.
import type { Json } from '../../model/value.ts';
import { DAY_MS, type Span } from '../../usage/observed.ts';
import { type TrafficRecord, trafficRecord } from '../../usage/records/trafficRecord.ts';

/** The record, if `body` is a record that happened in the span or at most a day after it; otherwise null. */
export function usableRecord(body: Json, { from, to }: Span): TrafficRecord | null {
  const record = trafficRecord(body);
  if (record === null) return null;
  const isUsable = record.happenings.every(one => one.from >= from && one.from <= to + DAY_MS);
  return isUsable ? record : null;
}
