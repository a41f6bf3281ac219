// The duration of a run, estimated from its requests, as text.
import type { PlanRequests } from '../../model/plan.ts';

/** The assumed duration of a request without a rate limit, in seconds. */
const REQUEST_S = 0.1;

/** The number of requests of a plan, with an estimate of the duration of its apply with `concurrency` requests at a time. */
export function withEstimate(
  { made, planned }: PlanRequests,
  { rate, concurrency }: { readonly rate: number | null; readonly concurrency: number },
): PlanRequests {
  const free = Math.ceil((planned * REQUEST_S) / concurrency);
  if (rate === null) return { made, planned, seconds: free };
  // The first request is sent immediately.
  const spread = Math.ceil((Math.max(0, planned - 1) * 60) / rate);
  return { made, planned, rate, seconds: Math.max(spread, free) };
}

/** `40 s`, `3 min`, `1 h 20 min`. */
export function durationText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`;
}
