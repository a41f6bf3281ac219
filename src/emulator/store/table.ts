// A typed table over untyped rows: the only place that relies on the type of stored values.
import type { Index, Rows } from './store.ts';

/** Records by id within a transaction. Records are immutable: a change is a new record. */
export interface Table<R extends { readonly id: string }> {
  get(id: string): R | undefined;
  all(): readonly R[];
  /** The records for which the index returns this value. */
  having(index: IndexOf<R>, value: string): readonly R[];
  put(record: R): void;
  remove(id: string): void;
}

/** An index over records (see `Index`). */
type IndexOf<R> = (record: R) => readonly string[];

/** The table with this name within a scope. */
export function openTable<R extends { readonly id: string }>(
  rows: Rows,
  scope: string,
  name: string,
): Table<R> {
  return {
    get: id => rows.get(scope, name, id) as R | undefined,
    all: () => rows.all(scope, name) as readonly R[],
    having: (index, value) => rows.having(scope, name, index as Index, value) as readonly R[],
    put: record => rows.put(scope, name, record.id, record),
    remove: id => rows.remove(scope, name, id),
  };
}
