// Follows a log: the log is read repeatedly, and each row is emitted once, in order. This is a pure
// function of what the log shows and of the times at which it was read. Rows are written some time
// after their events, so a later row may appear before an earlier row. The order of ids may also
// differ from the order of times (docs/server-behaviour.md#timing-of-the-audit-log). So a row is
// held until the log is read again after a grace period. By then, every earlier row has appeared,
// unless its delay exceeds the grace period. Only the clock of the reader is used.
import type { LogRow } from './logs.ts';
import type { Moment } from './time.ts';

/** The state between two readings. */
export interface Tail {
  /** Every row that was read and may be read again, with its time. */
  readonly seen: ReadonlyMap<string, Moment>;
  /** Rows that are not emitted yet, in order. */
  readonly held: readonly Held[];
  /** The last emitted row in order; null if there is none yet. */
  readonly done: LogRow | null;
}

interface Held {
  readonly row: LogRow;
  /** The time at which the first response with this row had arrived, in milliseconds. */
  readonly seenAt: number;
}

/** A reading of the log. */
export interface LogReading {
  /** All rows of the reading, in any order; a row may appear twice. */
  readonly rows: readonly LogRow[];
  /** The time at which the request was sent, in milliseconds. `answeredAt` is the time at which its response was complete. */
  readonly askedAt: number;
  readonly answeredAt: number;
  /**
   * The time before which the log no longer shows rows. The ids of rows before this time need not
   * be stored.
   */
  readonly reaches?: Moment;
}

/** The result of a reading. */
export interface Step {
  readonly tail: Tail;
  /** Rows to emit now, in order. */
  readonly ready: readonly LogRow[];
  /** Whether the log no longer shows the end of the last reading. If so, rows may be lost. */
  readonly isTorn: boolean;
}

/** A tail that skips `rows`, which already exist. */
export function tailAfter(rows: readonly LogRow[]): Tail {
  const seen = new Map(rows.map(({ id, moment }) => [id, moment]));
  return { seen, held: [], done: rows.toSorted(compareRows).at(-1) ?? null };
}

/** Processes a reading. Rows are held for `grace` milliseconds. */
export function readOn(tail: Tail, reading: LogReading, grace: number): Step {
  const { rows, askedAt, answeredAt, reaches } = reading;
  const seen = new Map(tail.seen);
  const fresh: Held[] = [];
  for (const row of rows) {
    if (seen.has(row.id)) continue;
    seen.set(row.id, row.moment);
    fresh.push({ row, seenAt: answeredAt });
  }
  const held = [...tail.held, ...fresh].sort((a, b) => compareRows(a.row, b.row));
  const last = held.findLastIndex(({ seenAt }) => askedAt - seenAt >= grace);
  const ready = held.slice(0, last + 1).map(({ row }) => row);
  return {
    tail: {
      seen: reaches === undefined ? seen : since(reaches, seen),
      held: held.slice(last + 1),
      done: later(tail.done, ready.at(-1) ?? null),
    },
    ready,
    isTorn: isTorn(tail, rows),
  };
}

/** The rows that are still held, in order. Emit them when following ends. */
export const remaining = ({ held }: Tail): readonly LogRow[] => held.map(({ row }) => row);

/** Compares two rows by time, then by id; numeric ids by value. */
export function compareRows(one: LogRow, other: LogRow): number {
  if (one.moment !== other.moment) return one.moment < other.moment ? -1 : 1;
  if (one.id === other.id) return 0;
  const areNumbers = /^\d+$/.test(one.id) && /^\d+$/.test(other.id);
  const [a, b] = areNumbers ? [BigInt(one.id), BigInt(other.id)] : [one.id, other.id];
  return a < b ? -1 : 1;
}

function isTorn({ done }: Tail, rows: readonly LogRow[]): boolean {
  return done !== null && rows.length > 0 && rows.every(row => compareRows(row, done) > 0);
}

function later(one: LogRow | null, other: LogRow | null): LogRow | null {
  if (one === null || other === null) return one ?? other;
  return compareRows(one, other) < 0 ? other : one;
}

const since = (reaches: Moment, seen: ReadonlyMap<string, Moment>): ReadonlyMap<string, Moment> =>
  new Map([...seen].filter(([, moment]) => moment >= reaches));
