// Following a log: of the rows that are read again and again, each goes out once, in order. A function of values: what
// the log shows, and when it was asked.
//
// Rows are written some time after what they report, so a later row may be seen first, and ids need not follow times
// (docs/server-behaviour.md#timing-of-the-audit-log). A row is therefore held until the log has been asked again
// after a grace period: by then every earlier row that is late by no more than that has been seen. Only the reader's clock
// counts.
import type { LogRow } from './logs.ts';
import type { Moment } from './time.ts';

/** What is known of a log between two readings. */
export interface Tail {
  /** Every row that was seen and may be seen again, with its moment. */
  readonly seen: ReadonlyMap<string, Moment>;
  /** Rows that have not gone out yet, in order. */
  readonly held: readonly Held[];
  /** The last of the rows in order that are done with; null before there is one. */
  readonly done: LogRow | null;
}

interface Held {
  readonly row: LogRow;
  /** When the answer had come that it was first seen in, in milliseconds. */
  readonly seenAt: number;
}

/** What a log showed. */
export interface Reading {
  /** All rows that it shows, in any order; a row may be there twice. */
  readonly rows: readonly LogRow[];
  /** When it was asked, and when all of its answer had come, in milliseconds. */
  readonly askedAt: number;
  readonly answeredAt: number;
  /** Rows from before this moment are no longer shown, and need not be remembered. */
  readonly reaches?: Moment;
}

/** What follows from a reading. */
export interface Step {
  readonly tail: Tail;
  /** Rows to go out now, in order. */
  readonly ready: readonly LogRow[];
  /** Whether the log no longer shows where the last reading ended, so that rows between them may be lost. */
  readonly isTorn: boolean;
}

/** A tail that passes over `rows`: what is there already. */
export function tailAfter(rows: readonly LogRow[]): Tail {
  const seen = new Map(rows.map(({ id, moment }) => [id, moment]));
  return { seen, held: [], done: rows.toSorted(inOrder).at(-1) ?? null };
}

/** Takes in a reading. Rows are held for `grace` milliseconds. */
export function readOn(tail: Tail, reading: Reading, grace: number): Step {
  const { rows, askedAt, answeredAt, reaches } = reading;
  const seen = new Map(tail.seen);
  const fresh: Held[] = [];
  for (const row of rows) {
    if (seen.has(row.id)) continue;
    seen.set(row.id, row.moment);
    fresh.push({ row, seenAt: answeredAt });
  }
  const held = [...tail.held, ...fresh].sort((a, b) => inOrder(a.row, b.row));
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

/** The rows that are still held, in order, for when nobody will read on. */
export const remaining = ({ held }: Tail): readonly LogRow[] => held.map(({ row }) => row);

/** By time, then by id: numbers by their value. */
export function inOrder(one: LogRow, other: LogRow): number {
  if (one.moment !== other.moment) return one.moment < other.moment ? -1 : 1;
  if (one.id === other.id) return 0;
  const areNumbers = /^\d+$/.test(one.id) && /^\d+$/.test(other.id);
  const [a, b] = areNumbers ? [BigInt(one.id), BigInt(other.id)] : [one.id, other.id];
  return a < b ? -1 : 1;
}

function isTorn({ done }: Tail, rows: readonly LogRow[]): boolean {
  return done !== null && rows.length > 0 && rows.every(row => inOrder(row, done) > 0);
}

function later(one: LogRow | null, other: LogRow | null): LogRow | null {
  if (one === null || other === null) return one ?? other;
  return inOrder(one, other) < 0 ? other : one;
}

const since = (reaches: Moment, seen: ReadonlyMap<string, Moment>): ReadonlyMap<string, Moment> =>
  new Map([...seen].filter(([, moment]) => moment >= reaches));
