// One pace for all requests of a run: the interval that was asked for, the pauses that the server asks for with a 429, and the
// rate that it is found to allow.
import { newEstimate, type RateEstimate } from './rateEstimate.ts';
import { DEFAULT_RETRY, type RetryPolicy } from './retry.ts';

/** Leave to send one request. Exactly one of its functions is called, when the request has ended. */
export interface Permit {
  /** The request was not answered with 429. */
  readonly passed: () => void;
  /**
   * The request was answered with 429; `asked` is the pause that the answer names, in milliseconds. Returns what that means
   * for every request that follows; null where the server has let nothing through for so long that waiting is given up.
   */
  readonly throttled: (asked: number | null) => Throttled | null;
}

/** What follows from a 429. */
export interface Throttled {
  /** Milliseconds until the next request. */
  readonly pause: number;
  /** False where the request was sent before another one was throttled: then the pause is one that is known. */
  readonly isNew: boolean;
}

/** Requests of all workers, one pace. */
export interface Pace {
  /** Resolves when the next request may be sent; to null, at once, where that would be too late. */
  readonly turn: () => Promise<Permit | null>;
  /** Requests a minute that are sent at most; null where nothing limits them. */
  readonly rate: () => number | null;
}

/** What a pace goes by. */
export interface Pacing {
  /** Milliseconds between two requests at least. By default none. */
  readonly interval?: number | undefined;
  /** No request begins at this time or later. */
  readonly until?: number | undefined;
  readonly policy?: RetryPolicy | undefined;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** From 0 up to 1. By default always 1. */
  readonly random?: (() => number) | undefined;
  /** Told once, when the server is found to limit requests: how many a minute it lets pass. */
  readonly onLimit?: ((requestsPerMinute: number) => void) | undefined;
}

/** The time after a 429, until a request passes. */
interface Closed {
  readonly until: number;
  /** The one request that is sent to find out whether the others may follow; resolves when it has ended. */
  probe?: PromiseWithResolvers<void>;
}

/** A pace as it is at the moment. */
interface State {
  readonly pacing: Pacing;
  readonly estimate: RateEstimate;
  /** When the next request may be sent, and when the last one was. */
  next: number;
  last: number;
  closed: Closed | null;
  /** How often it was closed. */
  closings: number;
  /** Milliseconds of pauses since a request passed. */
  waited: number;
}

/**
 * A pace. After a 429 nothing is sent for as long as the answer says, then one request: only when that one passes, the others
 * follow. Where requests are throttled again and again, they are spread by the rate at which they were seen to pass.
 */
export function paced(pacing: Pacing): Pace {
  const never = Number.NEGATIVE_INFINITY;
  const state: State = {
    ...{ pacing, estimate: newEstimate(), closed: null },
    ...{ next: never, last: never, closings: 0, waited: 0 },
  };
  return { turn: () => takeTurn(state), rate: () => perMinute(gapOf(state)) };
}

const gapOf = ({ pacing: { interval = 0 }, estimate }: State): number =>
  Math.max(interval, estimate.interval() ?? 0);

async function takeTurn(state: State): Promise<Permit | null> {
  const { now, sleep, until = Number.POSITIVE_INFINITY } = state.pacing;
  for (;;) {
    const { closed, closings } = state;
    if (closed?.probe) {
      await closed.probe.promise;
      continue;
    }
    const gap = gapOf(state);
    const at = Math.max(now(), gap > 0 ? state.next : 0, closed?.until ?? 0);
    if (at >= until) return null;
    state.next = at + gap;
    if (closed) closed.probe = Promise.withResolvers();
    if (at > now()) await sleep(at - now());
    if (state.closings === closings) {
      state.last = at;
      return permit(state, closed);
    }
    // Another request, which was sent before, was throttled meanwhile.
    closed?.probe?.resolve();
  }
}

// `own` is what the request is the probe of; null for one that is sent while nothing is closed.
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
      // Where it is given up, whoever waits tries once more, and then gives up too.
      if (isGivenUp) close(state, null);
      else if (isNew || (state.closed !== null && end > state.closed.until)) close(state, end);
      own?.probe?.resolve();
      return isGivenUp ? null : { pause, isNew };
    },
  };
}

// The times that were given out before are void: whoever waits for one asks again.
function close(state: State, until: number | null): void {
  state.closed = until === null ? null : { until };
  state.closings += 1;
  state.next = Math.max(until ?? 0, state.last + gapOf(state));
}

// The pause after a request that was sent when nothing was known of a refusal.
function newPause(state: State, asked: number | null): number {
  const { now, onLimit } = state.pacing;
  const before = state.estimate.interval();
  state.estimate.refused(now());
  const found = state.estimate.interval();
  if (before === null && found !== null) onLimit?.(60_000 / found);
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

// A policy of one attempt repeats nothing.
const patienceOf = ({ policy = DEFAULT_RETRY }: Pacing): number => (policy.attempts > 1 ? HOUR : 0);
