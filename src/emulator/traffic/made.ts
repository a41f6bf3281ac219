// Generates traffic for some days. The result contains what really happened, which is not a part of the log.

import type { Environment } from '../environment.ts';
import { nextNumber } from '../ids/numbers.ts';
import { formatIp } from '../normalise/ip.ts';
import type { FlowRecord } from '../records/logs.ts';
import type { Account } from '../store/account.ts';
import { timestamp } from '../time/times.ts';
import type { ConnectionAttempt } from './connection-attempt.ts';
import { daysOf, type Presence } from './days.ts';
import { numberOf, type Report, reportsOf } from './reports.ts';
import { arrivalOf, forgetOld } from './traffic-log.ts';
import type { TrafficPlan } from './trafficSettings.ts';
import type { Reached, Truth } from './truth.ts';

export interface Traffic {
  readonly truth: Truth;
  /** The future records of the log, in the order in which they arrive. */
  readonly records: readonly Report[];
  readonly presences: readonly Presence[];
}

/** The traffic of some days from now on. Nothing is written. */
export function trafficOf(account: Account, plan: TrafficPlan, environment: Environment): Traffic {
  const { happenings, presences } = daysOf(account, plan, environment);
  const modes = new Map(presences.map(({ peer, mode }) => [peer.id, mode]));
  const { records, reporters } = reportsOf(account, { happenings, modes, plan }, environment);
  const idsOf = (one: ConnectionAttempt) => (reporters.get(one) ?? []).map(({ id }) => id);
  const active = new Set(happenings.flatMap(one => idsOf(one).map(id => `${id} ${one.day}`)));
  const flows = happenings
    .toSorted((one, other) => one.at - other.at)
    .map(one => flowOf(one, idsOf(one)));
  const machines = presences.map(({ peer: { id }, start, isConnected, mode }) => ({
    id,
    day: new Date(start).toISOString().slice(0, 10),
    isConnected,
    mode,
    isReporting: active.has(`${id} ${start}`),
  }));
  return {
    truth: { flows, machines },
    records: records
      .map(record => ({ ...record, arrives: arrivalOf(record) }))
      .toSorted((one, other) => one.arrives - other.arrives),
    presences,
  };
}

/**
 * Generates traffic, and writes the records of its log and the connections of machines on its first day. Returns what really
 * happened.
 */
export function makeTraffic(account: Account, plan: TrafficPlan, environment: Environment): Truth {
  const { truth, records, presences } = trafficOf(account, plan, environment);
  forgetOld(account, environment);
  for (const record of records) {
    const made: FlowRecord = { id: String(nextNumber(account, 'flows')), ...record };
    account.flows.put(made);
  }
  const last_seen = timestamp(environment.clock);
  const today = presences.filter(({ start }) => start === presences[0]?.start);
  for (const { peer, isConnected: connected } of today)
    if (connected || peer.connected) account.peers.put({ ...peer, connected, last_seen });
  return truth;
}

function flowOf(one: ConnectionAttempt, reporters: readonly string[]): Truth['flows'][number] {
  const { source, target, hop, port, policies, at, isAdmitted } = one;
  return {
    source: source.id,
    destination: reachedBy(one),
    via: target.type === 'machine' ? null : hop.id,
    protocol: numberOf(one),
    port,
    at: new Date(at).toISOString(),
    isAdmitted,
    policies: policies.map(({ id }) => id),
    reporters,
  };
}

function reachedBy({ target, address }: ConnectionAttempt): Reached {
  const text = formatIp(address);
  if (target.type === 'machine') return { type: 'machine', id: target.peer.id };
  return target.type === 'resource'
    ? { type: 'resource', id: target.resource.id, address: text }
    : { type: 'route', id: target.route.id, address: text };
}
