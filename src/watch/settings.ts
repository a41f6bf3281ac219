// The settings for notifications of repeated runs, and the result of a run.

/** How a run ended. A run that could not compare the account shows neither drift nor its absence. */
export type Outcome = 'clean' | 'drift' | 'unreadable';

/** When to notify. */
export interface NotifyRules {
  /** The number of consecutive runs before the first notification. */
  readonly after: number;
  /** The interval of reminders in milliseconds; without it there are none. */
  readonly remind?: number;
}

/** A finished run. */
export interface EndedRun {
  readonly outcome: Outcome;
  /** Addresses of the objects that differ. */
  readonly drifted: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
}
