// How long a run takes: estimated from its requests, and in words.
import type { PlanRequests } from '../../model/plan.ts';

/** What one request is taken to last where no rate is known, in seconds. */
const REQUEST_S = 0.1;

/** The requests of a plan with an estimate of how long its apply takes, `concurrency` requests at a time. */
export function withEstimate(
  { made, planned }: PlanRequests,
  { rate, concurrency }: { readonly rate: number | null; readonly concurrency: number },
): PlanRequests {
  const free = Math.ceil((planned * REQUEST_S) / concurrency);
  if (rate === null) return { made, planned, seconds: free };
  // The first request is sent at once.
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
