// Estimates how many requests a server allows, from the times of 429 responses. Pure: times are passed in.

/** The state of an estimate. */
export interface RateEstimate {
  /** Call it when a request succeeded that was sent after this number of refusals. */
  readonly passed: (refusals: number) => void;
  /** Call it when a request was refused at this time, in milliseconds. */
  readonly refused: (at: number) => void;
  /** The milliseconds between two requests that the limit allows; null if unknown. */
  readonly interval: () => number | null;
  /**
   * The requests per minute that the server allowed between the last two refusals that are at least a minute apart; null if
   * there are none. A shorter time may have been mostly pauses.
   */
  readonly measuredRate: () => number | null;
  /** The number of refused requests so far. */
  readonly refusals: () => number;
  /** The number of refused requests since the last success. */
  readonly refusedInRow: () => number;
}

/** A refusal: its time, and the number of successful requests that were sent before it. */
interface Refusal {
  readonly number: number;
  readonly at: number;
  passed: number;
}

/**
 * After this number of successes, a higher rate is tried: the estimate may be too low, or the limit may have been
 * lifted.
 */
const CALM = 24;
/** The fraction by which the first further request shortens the interval. Each later request adds another step. */
const STEP = 1 / 320;
/** The estimate covers at least this number of requests, if enough requests were sent. */
const WINDOW = 100;

const MINUTE = 60_000;

/** A rate is estimated from at least this number of requests, if there are older ones. */
const FEW = 10;

/**
 * An estimate without any measurements. The allowance of the server is used up at each refusal. So the successes between two
 * refusals are the number that the server allowed in that time, to within one request.
 */
export function newEstimate(): RateEstimate {
  let marks: readonly Refusal[] = [];
  let minute: readonly Refusal[] = [];
  let passed = 0;
  let refusals = 0;
  let inRow = 0;
  let calm = 0;
  // The time between the last refusals is also used: fewer requests than allowed may have been sent before them.
  const measured = (): number | null => {
    const whole = between(marks[0], marks.at(-1), 1);
    const recent = between(marks.at(-2), marks.at(-1), FEW);
    return whole === null || recent === null ? whole : Math.min(whole, recent);
  };
  return {
    passed: sentAfter => {
      passed += 1;
      inRow = 0;
      calm += 1;
      // A response may be late, so a request that was sent before a refusal is counted before that refusal.
      for (const mark of new Set([...marks, ...minute]))
        if (mark.number > sentAfter) mark.passed += 1;
    },
    refused: at => {
      refusals += 1;
      inRow += 1;
      calm = 0;
      const from = marks.findLastIndex(mark => passed - mark.passed >= WINDOW);
      const mark = { number: refusals, at, passed };
      marks = [...marks.slice(Math.max(from, 0)), mark];
      const start = minute.findLastIndex(other => at - other.at >= MINUTE);
      minute = [...minute.slice(Math.max(start, 0)), mark];
    },
    interval: () => {
      const interval = measured();
      const tried = Math.max(0, calm - CALM);
      return interval && interval * (1 - STEP) ** ((tried * (tried + 1)) / 2);
    },
    measuredRate: () => {
      const first = minute[0];
      const last = minute.at(-1);
      if (!first || !last || last.at - first.at < MINUTE) return null;
      const interval = between(first, last, FEW);
      return interval === null ? null : MINUTE / interval;
    },
    refusals: () => refusals,
    refusedInRow: () => inRow,
  };
}

// The time per request between two refusals; null if fewer than `least` succeeded.
function between(
  first: Refusal | undefined,
  last: Refusal | undefined,
  least: number,
): number | null {
  const count = first && last ? last.passed - first.passed : 0;
  return first && last && count >= least ? (last.at - first.at) / count : null;
}
