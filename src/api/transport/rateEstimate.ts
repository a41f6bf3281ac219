// How many requests a server lets pass, estimated from the moments at which it refused one with 429. Pure: times are passed in.

/** What has been seen of a limit. */
export interface RateEstimate {
  /** A request passed that was sent after so many refusals. */
  readonly passed: (refusals: number) => void;
  /** A request was refused at this time, in milliseconds. */
  readonly refused: (at: number) => void;
  /** Milliseconds between two requests that the limit allows; null while that is not known. */
  readonly interval: () => number | null;
  /** Requests that were refused so far. */
  readonly refusals: () => number;
  /** Requests that were refused since the last one passed. */
  readonly refusedInRow: () => number;
}

/** A refusal: when, and how many requests that were sent before it passed. */
interface Refusal {
  readonly number: number;
  readonly at: number;
  passed: number;
}

/** So many requests pass before the estimate is tried upwards: it may be too low, or the limit may have been lifted. */
const CALM = 24;
/** The part of the interval that the first of the further requests takes off it; each one after that takes a step more. */
const STEP = 1 / 320;
/** The estimate is over at least so many requests, where there were so many. */
const WINDOW = 100;

/** A rate is told from no fewer requests than these, where there are older ones to tell it from. */
const FEW = 10;

/**
 * An estimate that begins without knowledge. Whatever collects the allowance of requests is empty at each refusal, so what
 * passes between two refusals is what the server allowed in that time, to within one request.
 */
export function newEstimate(): RateEstimate {
  let marks: readonly Refusal[] = [];
  let [passed, refusals, inRow, calm] = [0, 0, 0, 0];
  // What the last refusals are apart counts as well: before them, fewer may have been sent than were allowed.
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
      // Its answer may be late: what was sent before a refusal is counted there.
      for (const mark of marks) if (mark.number > sentAfter) mark.passed += 1;
    },
    refused: at => {
      refusals += 1;
      inRow += 1;
      calm = 0;
      const from = marks.findLastIndex(mark => passed - mark.passed >= WINDOW);
      marks = [...marks.slice(Math.max(from, 0)), { number: refusals, at, passed }];
    },
    interval: () => {
      const interval = measured();
      const tried = Math.max(0, calm - CALM);
      return interval && interval * (1 - STEP) ** ((tried * (tried + 1)) / 2);
    },
    refusals: () => refusals,
    refusedInRow: () => inRow,
  };
}

// The time that each request took between two refusals; null where fewer than `least` passed.
function between(
  first: Refusal | undefined,
  last: Refusal | undefined,
  least: number,
): number | null {
  const count = first && last ? last.passed - first.passed : 0;
  return first && last && count >= least ? (last.at - first.at) / count : null;
}
