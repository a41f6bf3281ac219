// Requests spread over time, for a server that is known to count them.

/** Resolves when the next request may be sent; in the order in which it is asked. */
export type Turn = () => Promise<void>;

/** Turns at least `interval` milliseconds apart, by the clock of `now`. */
export function paced(
  interval: number,
  { now, sleep }: { now: () => number; sleep: (milliseconds: number) => Promise<void> },
): Turn {
  let next = Number.NEGATIVE_INFINITY;
  return async () => {
    const at = Math.max(now(), next);
    next = at + interval;
    const wait = at - now();
    if (wait > 0) await sleep(wait);
  };
}
