// Rows in memory with rollback. Every store keeps its rows in a space; what else a store does with the changes of a transaction
// is up to the store.
import type { Row, Rows } from './store.ts';

/** A row with its position in the order of insertion, which it keeps when it is replaced. */
export interface Entry extends Row {
  readonly place: number;
}

/** The change of one row. Without `before` it was added; without `after` it was removed. */
export interface Change {
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

export interface Space {
  /**
   * Runs `work`. If it succeeds, `keep` receives the changes, in order, before anybody else sees them; if either throws,
   * everything is rolled back and the error is passed on.
   */
  transaction<T>(work: (rows: Rows) => T, keep: (changes: readonly Change[]) => void): T;
}

type Table = Map<string, Entry>;

/** A space with `entries`, which are sorted by position. */
export function newSpace(entries: readonly Entry[]): Space {
  const tables = new Map<string, Table>();
  let places = 0;
  const tableOf = (scope: string, name: string): Table => {
    const id = `${scope}/${name}`;
    const table = tables.get(id) ?? new Map();
    tables.set(id, table);
    return table;
  };
  for (const entry of entries) {
    tableOf(entry.scope, entry.table).set(entry.key, entry);
    places = entry.place;
  }

  const undo = ({ before, after }: Change): void => {
    const row = before ?? after;
    if (row === undefined) return;
    const table = tableOf(row.scope, row.table);
    if (before === undefined) table.delete(row.key);
    else if (after === undefined) putBack(table, before);
    else table.set(row.key, before);
  };

  const rowsOf = (changes: Change[]): Rows => ({
    get: (scope, table, key) => tableOf(scope, table).get(key)?.value,
    put: (scope, name, key, value) => {
      const table = tableOf(scope, name);
      const before = table.get(key);
      if (before === undefined) places += 1;
      const after = { scope, table: name, key, value, place: before?.place ?? places };
      table.set(key, after);
      changes.push({ before, after });
    },
    remove: (scope, name, key) => {
      const table = tableOf(scope, name);
      const before = table.get(key);
      if (before === undefined) return;
      table.delete(key);
      changes.push({ before, after: undefined });
    },
    all: (scope, table) => Array.from(tableOf(scope, table).values(), entry => entry.value),
    everything: () => inOrder([...tables.values()].flatMap(table => [...table.values()])),
    attempt: work => undoing(changes, work),
  });

  /** Runs `work`, and reverts what it adds to `changes` if it throws. */
  const undoing = <T>(changes: Change[], work: () => T): T => {
    const start = changes.length;
    try {
      return work();
    } catch (error) {
      for (const change of changes.splice(start).toReversed()) undo(change);
      throw error;
    }
  };

  return {
    transaction: (work, keep) => {
      const changes: Change[] = [];
      return undoing(changes, () => {
        const result = work(rowsOf(changes));
        keep(changes);
        return result;
      });
    },
  };
}

function putBack(table: Table, entry: Entry): void {
  const entries = inOrder([...table.values(), entry]);
  table.clear();
  for (const one of entries) table.set(one.key, one);
}

function inOrder(entries: readonly Entry[]): readonly Entry[] {
  return entries.toSorted((one, other) => one.place - other.place);
}
