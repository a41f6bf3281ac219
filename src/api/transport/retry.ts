// Decides whether and when a request is retried. Pure: times and random numbers are passed in.
import type { ApiError } from '../../model/errors.ts';

export interface RetryPolicy {
  /** The total number of attempts. */
  readonly attempts: number;
  /** The first pause in milliseconds; it doubles with every attempt. */
  readonly firstPause: number;
  /**
   * The first pause after a 429 without `Retry-After`. The pause is long, because servers that send
   * no `Retry-After` refill slowly (docs/server-behaviour.md#rate-limits).
   */
  readonly firstThrottledPause: number;
  /** The maximum pause in milliseconds. A server may request hours. */
  readonly longestPause: number;
}

/** How requests are repeated, unless the options of a transport say otherwise. */
export const DEFAULT_RETRY: RetryPolicy = {
  attempts: 5,
  firstPause: 250,
  firstThrottledPause: 2_000,
  longestPause: 30_000,
};

/** The inputs of the decision. */
export interface RetryConditions {
  /** The `Retry-After` header. */
  readonly retryAfter?: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** A random number from 0 to 1, which spreads the retries of clients that failed together. */
  readonly random: number;
}

/**
 * Milliseconds to wait before attempt number `attempt + 1`; null if there should be no further
 * attempt. A request that may have been carried out is repeated only if repeating it changes
 * nothing. A POST is never repeated in this case.
 */
export function pauseBefore(
  error: ApiError,
  attempt: number,
  policy: RetryPolicy,
  { retryAfter, now, random }: RetryConditions,
): number | null {
  const { code, retryable } = error.details;
  if (!retryable || attempt >= policy.attempts || !mayRepeat(error)) return null;
  const first = code === 'API_THROTTLED' ? policy.firstThrottledPause : policy.firstPause;
  const asked = retryAfterMs(retryAfter, now);
  const backoff = first * 2 ** (attempt - 1) * (0.5 + random / 2);
  // If the clock of the server is behind, `Retry-After` may result in no pause at all. The minimum
  // pause prevents a busy loop of retries.
  const pause = asked === null ? backoff : Math.max(asked, policy.firstPause);
  return Math.min(pause, policy.longestPause);
}

// Whether a request may be repeated. It was certainly not carried out only if it was throttled or
// not sent.
function mayRepeat({ details: { request, mayHaveHappened } }: ApiError): boolean {
  return request.method !== 'POST' || !mayHaveHappened;
}

const HTTP_DATE = /^[A-Z][a-z]{2,8}, .*\bGMT$/;

/** `Retry-After` in milliseconds, from seconds or a date; null if it is neither. */
export function retryAfterMs(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
