// Entries and rows without duplicates. In all compared states, destinations with the same rules
// share a row.
import { and, type Bits, minus } from './bits.ts';
import { interner } from './interned.ts';
import { type Entry, type Row, rowOf } from './row.ts';
import { intervalsText, type Traffic } from './traffic.ts';

/** An entry with a number. Equal entries have the same number. */
export interface PooledEntry extends Entry {
  readonly id: number;
}

/** Whether two lists contain the same entries in the same order. */
export const areSameEntries = (
  one: readonly PooledEntry[],
  other: readonly PooledEntry[],
): boolean => one.length === other.length && one.every((entry, at) => entry === other[at]);

export interface RowPool {
  readonly entry: (isDrop: boolean, traffic: Traffic, sources: Bits) => PooledEntry;
  /** A string that is the same for lists of entries with the same row. */
  readonly signature: (entries: readonly PooledEntry[]) => string;
  readonly row: (entries: readonly PooledEntry[]) => Row;
  /** Splits entries by their sources. */
  readonly parts: (sources: Bits) => Parts;
}

/** The parts of entries, in their order. */
interface Parts {
  /** The entries limited to these sources. */
  readonly among: (entries: readonly PooledEntry[]) => readonly PooledEntry[];
  /** The entries limited to all other sources. */
  readonly without: (entries: readonly PooledEntry[]) => readonly PooledEntry[];
}

/**
 * How many rows the pool keeps: enough for the rows that many destinations share, but few enough to
 * save memory.
 */
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
  const entry = (isDrop: boolean, traffic: Traffic, sources: Bits): PooledEntry => {
    const name = `${isDrop} ${intervalsText(traffic)} ${numberOf(sources)}`;
    const found = entries.get(name) ?? { id: entries.size, isDrop, traffic, sources };
    entries.set(name, found);
    return found;
  };
  const parts = new Map<number, Parts>();
  const partsBy = (limit: (sources: Bits) => Bits) => {
    const known = new Map<PooledEntry, PooledEntry>();
    const partOf = (whole: PooledEntry) => {
      const part = known.get(whole) ?? entry(whole.isDrop, whole.traffic, limit(whole.sources));
      known.set(whole, part);
      return part;
    };
    return (given: readonly PooledEntry[]) => given.map(partOf);
  };
  return {
    signature,
    entry,
    parts: sources => {
      const found = parts.get(numberOf(sources)) ?? {
        among: partsBy(some => and(some, sources)),
        without: partsBy(some => minus(some, sources)),
      };
      parts.set(numberOf(sources), found);
      return found;
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
