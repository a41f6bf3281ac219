// When a call is tried again, and after how long. Pure: the clock's readings and the dice are passed in.
import type { ApiError } from '../../model/errors.ts';

export interface RetryPolicy {
  /** Attempts in all. */
  readonly attempts: number;
  /** The first pause in milliseconds; it doubles with every attempt. */
  readonly firstPause: number;
  /** The first pause after a 429 without `Retry-After`: such servers refill slowly (docs/server-behaviour.md#rate-limits). */
  readonly firstThrottledPause: number;
  /** No pause is longer, in milliseconds: a server may ask for hours. */
  readonly longestPause: number;
}

export const DEFAULT_RETRY: RetryPolicy = {
  attempts: 5,
  firstPause: 250,
  firstThrottledPause: 2_000,
  longestPause: 30_000,
};

/** What the answer, the clock and the dice say at the moment of deciding. */
export interface RetryConditions {
  /** The answer's `Retry-After`. */
  readonly retryAfter?: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** From 0 up to 1: keeps clients that failed together from coming back together. */
  readonly dice: number;
}

/**
 * Milliseconds to wait before attempt number `attempt + 1`; null if there should be none.
 * What may have been carried out is repeated only where a second time changes nothing: never a POST.
 */
export function pauseBefore(
  error: ApiError,
  attempt: number,
  policy: RetryPolicy,
  { retryAfter, now, dice }: RetryConditions,
): number | null {
  const { code, retryable } = error.details;
  if (!retryable || attempt >= policy.attempts || !mayRepeat(error)) return null;
  const first = code === 'API_THROTTLED' ? policy.firstThrottledPause : policy.firstPause;
  const asked = retryAfterMs(retryAfter, now);
  const backoff = first * 2 ** (attempt - 1) * (0.5 + dice / 2);
  // A server whose clock is behind asks for no pause at all; it is not to be called in a circle.
  const pause = asked === null ? backoff : Math.max(asked, policy.firstPause);
  return Math.min(pause, policy.longestPause);
}

// Of the calls that may succeed later, only one that was throttled or never left is sure not to have happened.
function mayRepeat({ details: { request, mayHaveHappened } }: ApiError): boolean {
  return request.method !== 'POST' || !mayHaveHappened;
}

const HTTP_DATE = /^[A-Z][a-z]{2,8}, .*\bGMT$/;

/** `Retry-After` in milliseconds, from seconds or from a date; null where it says neither. */
export function retryAfterMs(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
