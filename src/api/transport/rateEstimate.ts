// Estimates how many requests a server allows, from the times of 429 responses. Pure: times are passed in.

/** The state of an estimate. */
export interface RateEstimate {
  /**
   * Call this when a request succeeded. `refusals`: the number of refusals before the request was
   * sent.
   */
  readonly passed: (refusals: number) => void;
  /** Call this when a request was refused, with the time in milliseconds. */
  readonly refused: (at: number) => void;
  /** The milliseconds between two requests that the limit allows; null if unknown. */
  readonly interval: () => number | null;
  /**
   * The requests per minute that the server allowed between the last two refusals that are at least
   * a minute apart; null if there are none. A shorter time may have consisted mostly of pauses.
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
 * The number of successes after which a higher rate is tried. The estimate may be too low, or the
 * limit may have been lifted.
 */
const CALM = 24;
/** The fraction by which the first further request shortens the interval. Each later request adds another step. */
const STEP = 1 / 320;
/** The minimum number of requests that the estimate covers, if enough requests were sent. */
const WINDOW = 100;

const MINUTE = 60_000;

/** The minimum number of requests from which a rate is estimated, if there are older requests. */
const FEW = 10;

/** Returns an estimate without any measurements. */
export function newEstimate(): RateEstimate {
  return new Estimate();
}

/**
 * Each refusal means that the allowance of the server is used up. So the number of successes
 * between two refusals is the number that the server allowed in that time, give or take one
 * request.
 */
class Estimate implements RateEstimate {
  #marks: readonly Refusal[] = [];
  #minute: readonly Refusal[] = [];
  #passed = 0;
  #refusals = 0;
  #inRow = 0;
  #calm = 0;

  passed(sentAfter: number): void {
    this.#passed += 1;
    this.#inRow = 0;
    this.#calm += 1;
    // A response may arrive late, so successes are counted by the time of sending: a request that was sent before a refusal
    // counts before that refusal.
    for (const mark of new Set([...this.#marks, ...this.#minute]))
      if (mark.number > sentAfter) mark.passed += 1;
  }

  refused(at: number): void {
    this.#refusals += 1;
    this.#inRow += 1;
    this.#calm = 0;
    const mark = { number: this.#refusals, at, passed: this.#passed };
    const from = this.#marks.findLastIndex(({ passed }) => this.#passed - passed >= WINDOW);
    this.#marks = [...this.#marks.slice(Math.max(from, 0)), mark];
    const start = this.#minute.findLastIndex(other => at - other.at >= MINUTE);
    this.#minute = [...this.#minute.slice(Math.max(start, 0)), mark];
  }

  interval(): number | null {
    const interval = this.#measured();
    const tried = Math.max(0, this.#calm - CALM);
    return interval && interval * (1 - STEP) ** ((tried * (tried + 1)) / 2);
  }

  measuredRate(): number | null {
    const first = this.#minute[0];
    const last = this.#minute.at(-1);
    if (!first || !last || last.at - first.at < MINUTE) return null;
    const interval = between(first, last, FEW);
    return interval === null ? null : MINUTE / interval;
  }

  refusals(): number {
    return this.#refusals;
  }

  refusedInRow(): number {
    return this.#inRow;
  }

  // The time between the last two refusals is also considered, because fewer requests than allowed may have been sent before
  // them.
  #measured(): number | null {
    const whole = between(this.#marks[0], this.#marks.at(-1), 1);
    const recent = between(this.#marks.at(-2), this.#marks.at(-1), FEW);
    return whole === null || recent === null ? whole : Math.min(whole, recent);
  }
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
