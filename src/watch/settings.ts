// When repeated runs notify, and what is known of a run that has ended.

/** How a run ended. That the account could not be compared is neither drift nor its absence. */
export type Outcome = 'clean' | 'drift' | 'unreadable';

/** When to notify. */
export interface NotifyRules {
  /** So many runs in a row before the first notification. */
  readonly after: number;
  /** Notify again after so many milliseconds while it lasts; never where it is not given. */
  readonly remind?: number;
}

/** A run that ended. */
export interface EndedRun {
  readonly outcome: Outcome;
  /** Addresses of the objects that differ. */
  readonly drifted: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
}
