// The storage of state: rows of JSON by scope, table and key, which are changed in transactions. The store does not depend on
// kinds of objects.

export interface Row {
  readonly scope: string;
  readonly table: string;
  readonly key: string;
  readonly value: unknown;
}

/**
 * Returns the values by which a row can be found. Each function is one index, so it must be pure and a constant of its module.
 */
export type Index = (value: unknown) => readonly string[];

/** Rows within one transaction. A stored value must not be changed afterwards. */
export interface Rows {
  get(scope: string, table: string, key: string): unknown;
  /** Adds a row, or replaces the row with that key in place. */
  put(scope: string, table: string, key: string, value: unknown): void;
  remove(scope: string, table: string, key: string): void;
  /** All rows of a table, in the order in which they were added. */
  all(scope: string, table: string): readonly unknown[];
  /** The rows of a table for which the index returns this value, in the order in which they were added. */
  having(scope: string, table: string, index: Index, value: string): readonly unknown[];
  /** All rows, in the order in which they were added. */
  everything(): readonly Row[];
  /** Runs `work` within the transaction. Its writes are reverted if it throws; the error is passed on. */
  attempt<T>(work: () => T): T;
}

export interface Store {
  /** Runs `work`. Its writes are stored once it returns, and reverted if it throws; the error is passed on. */
  transaction<T>(work: (rows: Rows) => T): T;
  close(): void;
}
