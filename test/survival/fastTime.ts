// A clock that runs faster than that of the machine, the same for all processes that know when it began.

/** How much faster. */
const FASTER = 20;

/** The clock, and how long a span of it really lasts. */
export interface FastTime {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly monotonic: () => number;
  readonly real: (milliseconds: number) => number;
}

/** The clock that began at `since`, in real milliseconds since 1970. */
export const fastTime = (since: number): FastTime => ({
  now: () => since + (Date.now() - since) * FASTER,
  monotonic: () => performance.now() * FASTER,
  real: milliseconds => milliseconds / FASTER,
});
