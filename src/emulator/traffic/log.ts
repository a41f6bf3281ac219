// The traffic log as it is served: the records that have arrived and are still kept, and deliberate faults.

import type { Environment } from '../environment.ts';
import type { FlowRecord, LogFaultsRecord } from '../records/logs.ts';
import type { Account } from '../store/account.ts';
import { DAY, SECOND } from '../time/times.ts';
import type { Report } from './reports.ts';

/** How long a record is kept, and how many of them are (docs/server-behaviour.md#event-logs). */
const KEPT_MS = 7 * DAY;
const KEPT_RECORDS = 50_000;

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

/** When the first report of a record arrives. */
export function arrivalOf({ events, sums, lag = 0, arrives }: Report | FlowRecord): number {
  return arrives ?? Date.parse(sums?.receive_timestamp ?? events[0]?.timestamp ?? '') + lag;
}

/** The records that the log has now, the last arrivals first. An event of a flow is part of it once its report has arrived. */
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

/** What is wrong with the log, as a request finds it. The request is counted, if it matters. */
export function faultsAt(account: Account): Omit<LogFaultsRecord, 'id'> {
  const faults = account.logFaults.get(account.id);
  if (faults === undefined) return NO_FAULTS;
  account.logFaults.put({ ...faults, requests: faults.requests + 1 });
  return faults;
}

/** Each element of a number, the first ones left alone; none if the number is 0. */
export function isEach(number: number, place: number): boolean {
  return number > 0 && place % number === number - 1;
}

/** Forgets what the log will never show again. */
export function forgetOld(account: Account, { clock }: Environment): void {
  // A log that is served with a delay shows a record for as much longer.
  const oldest = clock().getTime() - 2 * KEPT_MS;
  for (const flow of account.flows.all())
    if (arrivalOf(flow) <= oldest) account.flows.remove(flow.id);
}
