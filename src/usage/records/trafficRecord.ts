// Parses records of the traffic log. Both shapes are read: one flow with its events, and the sum of the flows in a window; the
// policy and the ICMP type are objects or flat fields. The user of a record is never read.
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import type { Direction, Time } from '../observed.ts';
import { type RecordEnd, recordEnd, textOf } from './recordEnd.ts';

/** A record of the log. */
export interface TrafficRecord {
  /** The identity of the record: the same whenever it is read, however much it has grown. */
  readonly id: string;
  /** The id of the machine that reported it. */
  readonly reporter: string;
  readonly source: RecordEnd;
  readonly destination: RecordEnd;
  readonly protocol: number;
  readonly port: number | null;
  readonly direction: Direction;
  /** The id of the policy that the server named. */
  readonly policy: string | null;
  /** The happenings in order of time, at least one. */
  readonly happenings: readonly [FlowSign, ...FlowSign[]];
}

/** Starts, drops, or other signs that a flow existed: its end, or bytes in a window in which it neither started nor ended. */
export interface FlowSign {
  readonly is: 'start' | 'drop' | 'other';
  readonly count: number;
  readonly from: Time;
  readonly to: Time;
}

/** Parses a record; null if a flow, a reporter, a protocol or a time is missing, or if a number in it is impossible. */
export function trafficRecord(body: Json): TrafficRecord | null {
  if (!isObject(body)) return null;
  const flow = textOf(body.flow_id) || textOf(body.id);
  const reporter = textOf(body.reporter_id);
  const { protocol } = body;
  const window = windowOf(body);
  const [first, ...others] = window === null ? eventsIn(body) : sumOf(body, window);
  if (flow === '' || reporter === '' || !isUpTo(protocol, 255) || first === undefined) return null;
  const source = recordEnd(body.source);
  const destination = recordEnd(body.destination);
  if (COUNTS.some(name => !isCount(body[name] ?? 0))) return null;
  if (![source, destination].every(({ port }) => isUpTo(port ?? 0, 65_535))) return null;
  const icmp = ICMP.has(protocol) ? icmpOf(body) : null;
  if (icmp !== null && ![icmp.type, icmp.code].every(one => isUpTo(one ?? 0, 255))) return null;
  return {
    // Sums of several windows may share the id of their flow.
    id: JSON.stringify(
      window === null ? [flow, reporter] : [textOf(body.id) || flow, reporter, window.from],
    ),
    reporter,
    source,
    destination,
    protocol,
    // Port 0 means no port: records contain it if their protocol has no ports.
    port: icmp === null ? destination.port || null : portOfType(icmp.type),
    direction: DIRECTIONS[textOf(body.direction)] ?? 'unknown',
    policy: textOf(idIn(body.policy)) || textOf(body.policy_id) || null,
    happenings: [first, ...others],
  };
}

const DIRECTIONS: Readonly<Record<string, Direction>> = { INGRESS: 'in', EGRESS: 'out' };

const idIn = (value: Json | undefined): Json | undefined => (isObject(value) ? value.id : value);

const isCount = (value: Json | undefined): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

const isUpTo = (value: Json | undefined, most: number): value is number =>
  isCount(value) && value <= most;

const COUNTS = ['num_of_starts', 'num_of_ends', 'num_of_drops'];

const ICMP: ReadonlySet<number> = new Set([1, 58]);

const icmpOf = ({ icmp, icmp_type: type, icmp_code: code }: JsonObject) =>
  isObject(icmp) ? { type: icmp.type, code: icmp.code } : { type, code };

const portOfType = (type: Json | undefined): number | null => (isCount(type) ? type : null);

interface Window {
  readonly from: Time;
  readonly to: Time;
}

function windowOf(body: JsonObject): Window | null {
  const from = timeOf(body.window_start);
  const to = timeOf(body.window_end) ?? from;
  return from === null || to === null ? null : { from, to: Math.max(from, to) };
}

function timeOf(value: Json | undefined): Time | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  // The server writes a date in the year 1 if it has no time.
  return time > 0 ? time : null;
}

function sumOf(body: JsonObject, window: Window): FlowSign[] {
  const of = (value: Json | undefined): number => (isCount(value) ? value : 0);
  const starts = of(body.num_of_starts);
  const drops = of(body.num_of_drops);
  const others = starts + drops === 0 ? Math.max(1, of(body.num_of_ends)) : of(body.num_of_ends);
  const counts = [
    ['start', starts],
    ['drop', drops],
    ['other', others],
  ] as const;
  return counts.flatMap(([is, count]) => (count === 0 ? [] : { is, count, ...window }));
}

function eventsIn(body: JsonObject): FlowSign[] {
  const events = isList(body.events) ? body.events.filter(isObject) : [];
  const found = events.flatMap(({ type, timestamp }): FlowSign[] => {
    const at = timeOf(timestamp);
    if (at === null) return [];
    return [{ is: EVENTS[textOf(type)] ?? 'other', count: 1, from: at, to: at }];
  });
  return found.sort((a, b) => a.from - b.from);
}

const EVENTS: Readonly<Record<string, FlowSign['is']>> = {
  TYPE_START: 'start',
  TYPE_DROP: 'drop',
};
