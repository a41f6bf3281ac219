// One table of the rows of a store. Its rows are found by their keys, and by values that an index
// derives from them.
import type { Index, Row } from './store.ts';

/** A row with its place in the order in which rows were added. A row that replaces it has the same place. */
export interface Entry extends Row {
  readonly place: number;
}

/** The rows of a table by key, in the order of their places. */
export interface RowTable {
  readonly get: (key: string) => Entry | undefined;
  readonly entries: () => Iterable<Entry>;
  /** The rows for which the index returns this value, in the order of their places. */
  readonly having: (index: Index, value: string) => readonly Entry[];
  /** Adds a row at the end, replaces the row with the same key, or puts a removed row back in its place. */
  readonly set: (entry: Entry) => void;
  readonly remove: (key: string) => void;
}

/** For each value of an index, the rows with this value, by key. */
type Found = Map<string, Map<string, Entry>>;

/** An empty table. An index is built when it is first used, and updated with every change of a row. */
export function newRowTable(): RowTable {
  const rows = new Map<string, Entry>();
  const indexes = new Map<Index, Found>();
  let last = 0;
  const indexOf = (index: Index): Found => {
    const known = indexes.get(index);
    if (known) return known;
    const found: Found = new Map();
    for (const entry of rows.values()) add(found, index, entry);
    indexes.set(index, found);
    return found;
  };
  const remove = (key: string): void => {
    const entry = rows.get(key);
    if (entry === undefined) return;
    rows.delete(key);
    for (const [index, found] of indexes) take(found, index, entry);
  };
  return {
    get: key => rows.get(key),
    entries: () => rows.values(),
    having: (index, value) => rowsInOrder([...(indexOf(index).get(value)?.values() ?? [])]),
    set: entry => {
      const before = rows.get(entry.key);
      if (before) for (const [index, found] of indexes) take(found, index, before);
      for (const [index, found] of indexes) add(found, index, entry);
      rows.set(entry.key, entry);
      if (before === undefined && entry.place < last) reorder(rows);
      last = Math.max(last, entry.place);
    },
    remove,
  };
}

function add(found: Found, index: Index, entry: Entry): void {
  for (const value of index(entry.value)) {
    const entries = found.get(value) ?? new Map<string, Entry>();
    found.set(value, entries.set(entry.key, entry));
  }
}

function take(found: Found, index: Index, { key, value: row }: Entry): void {
  for (const value of index(row)) {
    const entries = found.get(value);
    entries?.delete(key);
    if (entries?.size === 0) found.delete(value);
  }
}

function reorder(rows: Map<string, Entry>): void {
  const entries = rowsInOrder([...rows.values()]);
  rows.clear();
  for (const entry of entries) rows.set(entry.key, entry);
}

/** Rows in the order in which they were added. */
export function rowsInOrder(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((one, other) => one.place - other.place);
}
