// Where state is kept: rows of JSON under scope, table and key, changed by whole transactions. Knows no kind of object.

export interface Row {
  readonly scope: string;
  readonly table: string;
  readonly key: string;
  readonly value: unknown;
}

/** Rows as one transaction sees them. A value that was put must not be changed afterwards. */
export interface Rows {
  get(scope: string, table: string, key: string): unknown;
  /** Adds a row, or replaces the one of that key in its place. */
  put(scope: string, table: string, key: string, value: unknown): void;
  remove(scope: string, table: string, key: string): void;
  /** All rows of a table, in the order in which they were added. */
  all(scope: string, table: string): readonly unknown[];
  /** Every row there is, in the order in which they were added. */
  everything(): readonly Row[];
  /** Runs `work` within the transaction. What it wrote is undone where it throws; the error is passed on. */
  attempt<T>(work: () => T): T;
}

export interface Store {
  /** Runs `work`. What it wrote is kept once it returns, and undone where it throws; the error is passed on. */
  transaction<T>(work: (rows: Rows) => T): T;
  close(): void;
}
