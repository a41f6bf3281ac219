// What of a store is old enough to be deleted. A clock that is wrong must not delete a history.
import { DAY_MS, type Time } from '../observed.ts';

/** A clock that differs from that of the server by this much is wrong. */
const MOST_SKEW = 5 * 60_000;

/** What is known of the time. */
export interface Clock {
  readonly now: Time;
  /** How far the clock of the server is ahead, if a response said so. */
  readonly skew: number | undefined;
  /** The newest record of the store; null if it has none. */
  readonly newest: Time | null;
}

/** The time before which records are deleted; null if the clock differs from that of the server. Without a server, not much later than the newest record counts. */
export function deletedBefore(keep: number, { now, skew, newest }: Clock): Time | null {
  if (skew !== undefined) return Math.abs(skew) < MOST_SKEW ? now - keep : null;
  return Math.min(now, (newest ?? now) + DAY_MS) - keep;
}
