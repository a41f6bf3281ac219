// Entries and rows without duplicates: destinations with the same rules share a row, in all worlds that are compared.
import type { Bits } from './bits.ts';
import { interner } from './interned.ts';
import { type Entry, type Row, rowOf } from './row.ts';
import { intervalsText, type Traffic } from './traffic.ts';

/** An entry with a number that equal entries share. */
export interface PooledEntry extends Entry {
  readonly id: number;
}

export interface RowPool {
  readonly entry: (isDrop: boolean, traffic: Traffic, sources: Bits) => PooledEntry;
  /** A text that is equal for entries with the same row. */
  readonly signature: (entries: readonly PooledEntry[]) => string;
  readonly row: (entries: readonly PooledEntry[]) => Row;
}

/** Large enough for the rows that many destinations share, small enough to save memory. */
const ROWS_KEPT = 4_096;

/** A pool for the sets of one roster. */
export function rowPool(): RowPool {
  const numberOf = interner();
  const entries = new Map<string, PooledEntry>();
  const rows = new Map<string, Row>();
  const signature = (given: readonly PooledEntry[]) => {
    const ids = new Set(given.map(({ id }) => id));
    return [...ids].sort((one, other) => one - other).join();
  };
  return {
    signature,
    entry: (isDrop, traffic, sources) => {
      const name = `${isDrop} ${intervalsText(traffic)} ${numberOf(sources)}`;
      const entry = entries.get(name) ?? { id: entries.size, isDrop, traffic, sources };
      entries.set(name, entry);
      return entry;
    },
    row: given => {
      const name = signature(given);
      const row = rows.get(name) ?? rowOf([...new Set(given)]);
      if (rows.size >= ROWS_KEPT) rows.clear();
      rows.set(name, row);
      return row;
    },
  };
}
