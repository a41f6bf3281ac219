// The rate limit: each token has a bucket that refills at a constant rate (docs/server-behaviour.md#rate-limits).
import type { Clock } from '../environment.ts';
import { tooMany } from '../request/refusal.ts';

export interface RateLimit {
  /** The number of requests per minute that a token may send continuously. */
  readonly requestsPerMinute: number;
  /** The number of requests that a token may send at once after a pause. */
  readonly burst: number;
}

/** Throws if a request of `token`, or of an address, exceeds the limit. Requests of Terraform are never refused. */
export type RateLimiter = (token: string, userAgent: string) => void;

/** The limit of an address for operations without credentials. */
export const PUBLIC_LIMIT: RateLimit = { requestsPerMinute: 10, burst: 5 };

const MINUTE = 60_000;
const ROUNDING = 1e-6;

/** A limiter; without a limit, it refuses nothing. */
export function newRateLimiter(
  limit: RateLimit | undefined,
  clock: Clock,
  message = 'too many requests',
): RateLimiter {
  if (limit === undefined) return () => {};
  const { requestsPerMinute, burst } = limit;
  const buckets = new Map<string, { readonly level: number; readonly at: number }>();
  return (token, userAgent) => {
    if (userAgent.toLowerCase().includes('terraform')) return;
    const at = clock().getTime();
    const before = buckets.get(token) ?? { level: burst, at };
    const filled = before.level + ((at - before.at) / MINUTE) * requestsPerMinute;
    const level = Math.min(burst, filled);
    if (level < 1 - ROUNDING) throw tooMany(message);
    buckets.set(token, { level: level - 1, at });
  };
}
