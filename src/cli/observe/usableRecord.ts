// Filters out records of a log with an implausible time, because the clock of a machine may be wrong by years.
import { isObject, type Json } from '../../model/value.ts';
import { DAY_MS, type Span } from '../../usage/observed.ts';
import { textOf } from '../../usage/records/recordEnd.ts';
import { type TrafficRecord, trafficRecord } from '../../usage/records/trafficRecord.ts';

/**
 * The record, if `body` is a record that happened in the span or at most a day after it; otherwise
 * null.
 */
export function usableRecord(body: Json, { from, to }: Span): TrafficRecord | null {
  const record = trafficRecord(body);
  if (record === null) return null;
  const isUsable = record.happenings.every(one => one.from >= from && one.from <= to + DAY_MS);
  return isUsable ? record : null;
}

/** Records that cannot be used. */
export interface Unusable {
  /** The number of records that do not name the machine that reported them. */
  readonly ofNobody: number;
  /** The number of records that each machine reported, by its id. */
  readonly byMachine: ReadonlyMap<string, number>;
}

/**
 * Counts the unusable records of a log, by machine, because a machine without usable times says
 * nothing about other machines.
 */
export function unusableRecords(bodies: readonly Json[], span: Span): Unusable {
  const byMachine = new Map<string, number>();
  let ofNobody = 0;
  for (const body of bodies) {
    if (usableRecord(body, span) !== null) continue;
    const machine = isObject(body) ? textOf(body.reporter_id) : '';
    if (machine === '') ofNobody += 1;
    else byMachine.set(machine, (byMachine.get(machine) ?? 0) + 1);
  }
  return { ofNobody, byMachine };
}
