// Throttles all requests of a run together, by three limits: the chosen interval, the pauses that the server requests with a 429,
// and the estimated limit of the server.
import { newEstimate, type RateEstimate } from './rateEstimate.ts';
import { DEFAULT_RETRY, type RetryPolicy } from './retry.ts';

/**
 * Permission to send one request. When the request has ended, exactly one of these functions must
 * be called.
 */
export interface Permit {
  /** Call this if the response was not a 429. */
  readonly passed: () => void;
  /**
   * Call this if the response was a 429. `asked`: the pause that the response requests, in
   * milliseconds. Returns the effect on all later requests; null if the server has refused every
   * request for so long that the run stops waiting.
   */
  readonly throttled: (asked: number | null) => Throttled | null;
}

/** The effect of a 429. */
export interface Throttled {
  /** Milliseconds until the next request. */
  readonly pause: number;
  /**
   * False if the request was sent before another request was throttled, so that the pause is
   * already known.
   */
  readonly isNew: boolean;
}

/** One throttle for the requests of all workers. */
export interface Throttle {
  /**
   * Resolves when the next request may be sent. If that would be too late, resolves to null at
   * once.
   */
  readonly turn: () => Promise<Permit | null>;
  /** The maximum number of requests per minute; null if unlimited. */
  readonly rate: () => number | null;
  /**
   * Returns the name of the flag whose time limit makes `turn` resolve to null; by default
   * `--deadline`.
   */
  readonly limitedBy?: () => string | undefined;
  /** Sets the maximum number of requests per minute from now on, if it is lower than before. */
  readonly limit: (requestsPerMinute: number) => void;
}

/** The settings of a throttle. */
export interface Pacing {
  /** The minimum number of milliseconds between two requests. By default there is no minimum. */
  readonly interval?: number | undefined;
  /** No request starts at this time or later. */
  readonly until?: number | undefined;
  /** Whether a request may start at a time. By default always. */
  readonly mayStart?: ((at: number) => boolean) | undefined;
  readonly policy?: RetryPolicy | undefined;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Returns a random number from 0 to 1. By default always 1. */
  readonly random?: (() => number) | undefined;
  /** Called once when the number of requests per minute that the server allows is known, measured over at least a minute. */
  readonly onLimit?: ((requestsPerMinute: number) => void) | undefined;
}

/** The time between a 429 and the next success. */
interface Closed {
  readonly until: number;
  /**
   * The single request that tests whether other requests may follow. Resolves when this request has
   * ended.
   */
  probe?: PromiseWithResolvers<void>;
}

/** The current state of a throttle. */
interface State {
  readonly pacing: Pacing;
  readonly estimate: RateEstimate;
  /** The minimum number of milliseconds between two requests. */
  interval: number;
  /** The times of the next request and of the last one. */
  next: number;
  last: number;
  closed: Closed | null;
  /** The number of times that the throttle was closed. */
  closings: number;
  /** Milliseconds of pauses since the last success. */
  waited: number;
}

/**
 * Makes a throttle. After a 429, no request is sent for the requested pause. After the pause, a
 * single request is sent. Other requests follow only if it succeeds. If requests are throttled
 * repeatedly, they are spread by the estimated rate.
 */
export function newThrottle(pacing: Pacing): Throttle {
  const never = Number.NEGATIVE_INFINITY;
  const state: State = {
    pacing,
    estimate: newEstimate(),
    interval: pacing.interval ?? 0,
    closed: null,
    next: never,
    last: never,
    closings: 0,
    waited: 0,
  };
  return {
    turn: () => takeTurn(state),
    rate: () => perMinute(gapOf(state)),
    limit: requests => {
      state.interval = Math.max(state.interval, 60_000 / requests);
    },
  };
}

const gapOf = ({ interval, estimate }: State): number =>
  Math.max(interval, estimate.interval() ?? 0);

async function takeTurn(state: State): Promise<Permit | null> {
  const { now, sleep, until = Number.POSITIVE_INFINITY, mayStart } = state.pacing;
  for (;;) {
    const { closed, closings } = state;
    if (closed?.probe) {
      await closed.probe.promise;
      continue;
    }
    const gap = gapOf(state);
    const at = Math.max(now(), gap > 0 ? state.next : 0, closed?.until ?? 0);
    if (at >= until || mayStart?.(at) === false) return null;
    state.next = at + gap;
    if (closed) closed.probe = Promise.withResolvers();
    if (at > now()) await sleep(at - now());
    if (state.closings === closings) {
      state.last = at;
      return permit(state, closed);
    }
    // In the meantime, a request that was sent earlier has been throttled.
    closed?.probe?.resolve();
  }
}

// `own`: the closed period that the request tests; null for a request that was sent while the
// throttle was open.
function permit(state: State, own: Closed | null): Permit {
  const { estimate, closings } = state;
  const refusals = estimate.refusals();
  return {
    passed: () => {
      estimate.passed(refusals);
      state.waited = 0;
      if (own !== null && state.closed === own) state.closed = null;
      own?.probe?.resolve();
    },
    throttled: asked => {
      const isNew = state.closings === closings;
      const pause = isNew ? newPause(state, asked) : (asked ?? 0);
      const end = state.pacing.now() + pause;
      const isGivenUp = state.waited > patienceOf(state.pacing);
      // If the run stops waiting, every waiting request tries once more and then stops waiting too.
      if (isGivenUp) close(state, null);
      else if (isNew || (state.closed !== null && end > state.closed.until)) close(state, end);
      own?.probe?.resolve();
      return isGivenUp ? null : { pause, isNew };
    },
  };
}

// Times that were already assigned to waiting requests become invalid, so these requests ask again.
function close(state: State, until: number | null): void {
  state.closed = until === null ? null : { until };
  state.closings += 1;
  state.next = Math.max(until ?? 0, state.last + gapOf(state));
}

// The pause after a request that was sent before the refusal was known.
function newPause(state: State, asked: number | null): number {
  const { now, onLimit } = state.pacing;
  const before = state.estimate.measuredRate();
  state.estimate.refused(now());
  const found = state.estimate.measuredRate();
  if (before === null && found !== null) onLimit?.(found);
  const pause = pauseAfter(state, asked);
  state.waited += pause;
  return pause;
}

function pauseAfter({ pacing, estimate }: State, asked: number | null): number {
  const { policy = DEFAULT_RETRY, random = () => 1 } = pacing;
  if (asked !== null) return Math.max(asked, policy.firstPause);
  const known = estimate.interval();
  if (known !== null) return Math.min(known, LONGEST_KNOWN);
  const backoff = policy.firstThrottledPause * 2 ** (estimate.refusedInRow() - 1);
  return Math.min(backoff * (0.5 + random() / 2), policy.longestPause);
}

const perMinute = (milliseconds: number): number | null =>
  milliseconds > 0 ? 60_000 / milliseconds : null;

const LONGEST_KNOWN = 300_000;
const HOUR = 3_600_000;

// A policy with one attempt does not retry.
const patienceOf = ({ policy = DEFAULT_RETRY }: Pacing): number => (policy.attempts > 1 ? HOUR : 0);
