// Rows in memory that are changed in transactions with rollback. Every store keeps its rows here,
// and decides itself what else to do with the changes of a transaction.
import { type Entry, newRowTable, type RowTable, rowsInOrder } from './rowTable.ts';
import type { Rows } from './store.ts';

/** The change of one row. Without `before`, the row was added; without `after`, it was removed. */
export interface Change {
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

/** The rows of a store, changed in transactions. */
export interface TransactionalRows {
  /**
   * Runs `work`, and returns its result. If `work` succeeds, `keep` receives the changes in order, before anybody else sees them.
   * If either throws, everything is rolled back and the error is passed on.
   */
  transaction<T>(work: (rows: Rows) => T, keep: (changes: readonly Change[]) => void): T;
}

const NOTHING = newRowTable();

/** Rows with `entries`, which are sorted by position. */
export function newTransactionalRows(entries: readonly Entry[]): TransactionalRows {
  const tables = tablesOf(entries);
  return {
    transaction: (work, keep) => {
      const changes: Change[] = [];
      return undoing(tables, changes, () => {
        const result = work(recordedRows(tables, changes));
        keep(changes);
        return result;
      });
    },
  };
}

/** The rows of a transaction. Each write adds its change to `changes`. */
function recordedRows(tables: Tables, changes: Change[]): Rows {
  const { written, seen, all, nextPlace } = tables;
  return {
    get: (scope, table, key) => seen(scope, table).get(key)?.value,
    put: (scope, name, key, value) => {
      const table = written(scope, name);
      const before = table.get(key);
      const after = { scope, table: name, key, value, place: before?.place ?? nextPlace() };
      table.set(after);
      changes.push({ before, after });
    },
    remove: (scope, name, key) => {
      const table = seen(scope, name);
      const before = table.get(key);
      if (before === undefined) return;
      table.remove(key);
      changes.push({ before, after: undefined });
    },
    all: (scope, table) => Array.from(seen(scope, table).entries(), entry => entry.value),
    having: (scope, table, index, value) =>
      seen(scope, table)
        .having(index, value)
        .map(entry => entry.value),
    everything: () => rowsInOrder(all().flatMap(table => [...table.entries()])),
    attempt: work => undoing(tables, changes, work),
  };
}

/** Runs `work`. If it throws, reverts the changes that it added to `changes`. */
function undoing<T>(tables: Tables, changes: Change[], work: () => T): T {
  const start = changes.length;
  try {
    return work();
  } catch (error) {
    for (const change of changes.splice(start).toReversed()) undo(tables, change);
    throw error;
  }
}

function undo({ written }: Tables, { before, after }: Change): void {
  const row = before ?? after;
  if (row === undefined) return;
  const table = written(row.scope, row.table);
  if (before === undefined) table.remove(row.key);
  else table.set(before);
}

/** The tables of the rows. */
interface Tables {
  /** The table to write to. */
  readonly written: (scope: string, name: string) => RowTable;
  /** The table to read: an empty table if nobody wrote to it. Most tables of hundreds of accounts are empty. */
  readonly seen: (scope: string, name: string) => RowTable;
  readonly all: () => readonly RowTable[];
  /** The position of the next new row. A position is never used again, even if its transaction is rolled back. */
  readonly nextPlace: () => number;
}

function tablesOf(entries: readonly Entry[]): Tables {
  const tables = new Map<string, RowTable>();
  let places = entries.at(-1)?.place ?? 0;
  const written = (scope: string, name: string): RowTable => {
    const id = `${scope}/${name}`;
    const known = tables.get(id);
    if (known) return known;
    const table = newRowTable();
    tables.set(id, table);
    return table;
  };
  for (const entry of entries) written(entry.scope, entry.table).set(entry);
  return {
    written,
    seen: (scope, name) => tables.get(`${scope}/${name}`) ?? NOTHING,
    all: () => [...tables.values()],
    nextPlace: () => {
      places += 1;
      return places;
    },
  };
}
