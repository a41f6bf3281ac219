// Decides what is old enough to be deleted from a store. A wrong clock must not delete a history.
import { DAY_MS, type Time } from '../observed.ts';

/** A clock that differs from the server's by this much counts as wrong. */
const MOST_SKEW = 5 * 60_000;

/** The known facts about the time. */
export interface Clock {
  readonly now: Time;
  /** How far the server's clock is ahead, in milliseconds, if a response showed it. */
  readonly skew: number | undefined;
  /** The time of the newest record in the store; null if there is none. */
  readonly newest: Time | null;
}

/**
 * The time before which records are deleted; null if the clock differs from the server's. Without a server, it is limited by the
 * time of the newest record.
 */
export function deletedBefore(keep: number, { now, skew, newest }: Clock): Time | null {
  if (skew !== undefined) return Math.abs(skew) < MOST_SKEW ? now - keep : null;
  return Math.min(now, (newest ?? now) + DAY_MS) - keep;
}
