// The time limit of each account of a fleet. With it, an account with a slow server or a low `rate`
// does not delay the other accounts.

/** The time of one run for an account. */
export interface AccountTime {
  /** Whether a request may start at this time of the clock, in milliseconds. */
  readonly isLeft: (at: number) => boolean;
  /**
   * Runs a wait that all accounts of a token share. Its duration does not count towards the limit.
   */
  readonly uncounted: <T>(wait: () => Promise<T>) => Promise<T>;
}

/** Starts the time of a run for an account. `limit` is in milliseconds. */
export function accountTime(limit: number, now: () => number): AccountTime {
  const start = now();
  let uncounted = 0;
  let waiting = 0;
  let since = start;
  return {
    isLeft: at => at - start - uncounted - (waiting > 0 ? now() - since : 0) < limit,
    // Requests of an account may wait concurrently. Time in which several of them wait counts only
    // once.
    uncounted: async wait => {
      if (waiting === 0) since = now();
      waiting += 1;
      try {
        return await wait();
      } finally {
        waiting -= 1;
        if (waiting === 0) uncounted += now() - since;
      }
    },
  };
}
