// The traffic log as it is served: the records that have arrived and are still kept, and deliberate faults.

import type { Environment } from '../environment.ts';
import type { FlowRecord, LogFaultsRecord } from '../records/logs.ts';
import type { Account } from '../store/account.ts';
import { DAY, SECOND } from '../time/times.ts';
import type { Report } from './reports.ts';

/** The time for which records are kept, and the maximum number of records (docs/server-behaviour.md#event-logs). */
const KEPT_MS = 7 * DAY;
const KEPT_RECORDS = 50_000;

/** A log that has no deliberate faults. */
export const NO_FAULTS: Omit<LogFaultsRecord, 'id'> = {
  requests: 0,
  pages: 0,
  repeats: 0,
  flat: 0,
  blanks: 0,
  delay: 0,
  held: 0,
  arrivals: 0,
};

/** The time at which the first report of a record arrives, in milliseconds since 1970. */
export function arrivalOf({ events, sums, lag = 0, arrives }: Report | FlowRecord): number {
  return arrives ?? Date.parse(sums?.receive_timestamp ?? events[0]?.timestamp ?? '') + lag;
}

/**
 * The records that the log currently contains, the last arrivals first. A flow shows only the events whose reports have arrived.
 */
export function recordsIn(
  account: Account,
  faults: Omit<LogFaultsRecord, 'id'>,
  { clock }: Environment,
): readonly FlowRecord[] {
  const now = clock().getTime() - faults.delay * SECOND;
  const arrived = account.flows
    .all()
    .map(flow => ({ flow, at: arrivalOf(flow) }))
    .filter(({ at }) => at <= now && at > now - KEPT_MS)
    .toSorted((one, other) => other.at - one.at || Number(other.flow.id) - Number(one.flow.id));
  const held = Math.max(0, faults.held - faults.arrivals * faults.requests);
  return arrived.slice(held, held + KEPT_RECORDS).map(({ flow }) => asKnown(flow, now));
}

function asKnown(flow: FlowRecord, now: number): FlowRecord {
  const { lag, events } = flow;
  if (lag === undefined || events.length < 2) return flow;
  const known = events.filter(({ timestamp }) => Date.parse(timestamp) + lag <= now);
  return known.length === events.length ? flow : { ...flow, events: known };
}

/** The faults of the log for the current request. The request is counted, if there are faults. */
export function faultsAt(account: Account): Omit<LogFaultsRecord, 'id'> {
  const faults = account.logFaults.get(account.id);
  if (faults === undefined) return NO_FAULTS;
  account.logFaults.put({ ...faults, requests: faults.requests + 1 });
  return faults;
}

/** Whether a place, counted from 0, belongs to every n-th element, where n is `number`; false if `number` is 0. */
export function isEach(number: number, place: number): boolean {
  return number > 0 && place % number === number - 1;
}

/** Deletes the records that the log will never show again. */
export function forgetOld(account: Account, { clock }: Environment): void {
  // With a delay of up to a week, the log shows a record for up to a week longer.
  const oldest = clock().getTime() - 2 * KEPT_MS;
  for (const flow of account.flows.all())
    if (arrivalOf(flow) <= oldest) account.flows.remove(flow.id);
}
