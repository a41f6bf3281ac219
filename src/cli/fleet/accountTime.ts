// The time limit of each account of a fleet, so that an account whose server or whose own `rate` is slow holds up no other account.

/** The time of one run for an account. */
export interface AccountTime {
  /** Whether a request may start at this time of the clock, in milliseconds. */
  readonly isLeft: (at: number) => boolean;
  /** Waits for something that all accounts of a token wait for: this time does not count. */
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
    // Requests of an account wait beside each other, so the time in which any of them waits counts once.
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
