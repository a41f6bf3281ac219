// The storage of state: rows of JSON under scope, table and key, changed in transactions. It knows nothing of kinds of objects.

export interface Row {
  readonly scope: string;
  readonly table: string;
  readonly key: string;
  readonly value: unknown;
}

/** Rows within one transaction. A stored value must not be changed afterwards. */
export interface Rows {
  get(scope: string, table: string, key: string): unknown;
  /** Adds a row, or replaces the row with that key in place. */
  put(scope: string, table: string, key: string, value: unknown): void;
  remove(scope: string, table: string, key: string): void;
  /** All rows of a table, in the order in which they were added. */
  all(scope: string, table: string): readonly unknown[];
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
