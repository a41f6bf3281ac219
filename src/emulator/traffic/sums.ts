// Sums of flows: newer machines do not report each flow, but add up the flows of a window that have the same source, destination,
// port and direction (docs/server-behaviour.md#event-logs).

import type { Environment } from '../environment.ts';
import { nextNumber } from '../ids/numbers.ts';
import { isAtLeast, isVersion, releaseOf } from '../normalise/version.ts';
import type { FlowRecord, TrafficSums } from '../records/logs.ts';
import type { PeerRecord } from '../records/peers.ts';
import type { Account } from '../store/account.ts';
import { SECOND, timestamp } from '../time/times.ts';

/** Agents from this version on report sums. */
const FIRST_WITH_SUMS = '0.75.0';

/** The length of a window in milliseconds. */
export const WINDOW = 5 * 60 * SECOND;

/** The field that counts the events of each type. */
export const COUNTS: Readonly<Record<string, 'num_of_starts' | 'num_of_ends' | 'num_of_drops'>> = {
  TYPE_START: 'num_of_starts',
  TYPE_END: 'num_of_ends',
  TYPE_DROP: 'num_of_drops',
};

/** Whether a machine reports sums. */
export function reportsSums(
  { machine: { version } }: PeerRecord,
  { behaviour }: Environment,
): boolean {
  if (behaviour.trafficEvents === 'one event for each flow' || !isVersion(version)) return false;
  return isAtLeast(releaseOf(version), FIRST_WITH_SUMS);
}

/** Adds a flow to the sums of the windows in which it started and ended. */
export function addToSums(account: Account, flow: FlowRecord, environment: Environment): void {
  let added = flow;
  for (const { type, timestamp: at } of flow.events) {
    addEvent(account, { flow: added, type, at: Date.parse(at) }, environment);
    // The bytes and packets of the flow count only once.
    added = { ...added, rx_bytes: 0, rx_packets: 0, tx_bytes: 0, tx_packets: 0 };
  }
}

interface Happening {
  readonly flow: FlowRecord;
  readonly type: string;
  readonly at: number;
}

function addEvent(account: Account, { flow, type, at }: Happening, environment: Environment): void {
  const start = at - (at % WINDOW);
  const window_start = new Date(start).toISOString();
  const summed = withoutPort(flow);
  const before = account.flows.having(keyOf, keyOfSum(summed, window_start))[0];
  const sums = before?.sums ?? emptySums(window_start, start + WINDOW, environment);
  const count = COUNTS[type];
  account.flows.put({
    ...summed,
    id: before?.id ?? String(nextNumber(account, 'flows')),
    flow_id: before?.flow_id ?? environment.newId(),
    rx_bytes: (before?.rx_bytes ?? 0) + flow.rx_bytes,
    rx_packets: (before?.rx_packets ?? 0) + flow.rx_packets,
    tx_bytes: (before?.tx_bytes ?? 0) + flow.tx_bytes,
    tx_packets: (before?.tx_packets ?? 0) + flow.tx_packets,
    events: [],
    sums: count === undefined ? sums : { ...sums, [count]: sums[count] + 1 },
  });
}

function emptySums(window_start: string, end: number, { clock }: Environment): TrafficSums {
  const window_end = new Date(end).toISOString();
  const now = timestamp(clock);
  return {
    // A window that is not over yet is still reported.
    receive_timestamp: window_end < now ? window_end : now,
    window_start,
    window_end,
    num_of_starts: 0,
    num_of_ends: 0,
    num_of_drops: 0,
  };
}

/** A flow without its source port: flows of all source ports are added up. */
export function withoutPort<F extends Omit<FlowRecord, 'id'>>(flow: F): F {
  const { source } = flow;
  return { ...flow, source: { ...source, address: source.address.replace(/:\d+$/, ':0') } };
}

function keyOf(flow: FlowRecord): readonly string[] {
  return flow.sums === undefined ? [] : [keyOfSum(flow, flow.sums.window_start)];
}

/** The fields that all flows of one aggregate share. */
export function keyOfSum(flow: Omit<FlowRecord, 'id'>, window_start: string): string {
  const { reporter_id, source, destination, direction, protocol, icmp, policy } = flow;
  const { connection_type } = flow;
  const ends = [source.address, destination.address];
  return [
    window_start,
    reporter_id,
    ...ends,
    direction,
    protocol,
    icmp.type,
    connection_type,
    policy.id,
  ].join(' ');
}
