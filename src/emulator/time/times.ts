// Times in the format of the API.
import type { Clock } from '../environment.ts';

/** The value of a time that was never set (docs/server-behaviour.md#json-bodies). */
export const NEVER = '0001-01-01T00:00:00Z';

export const SECOND = 1000;
export const DAY = 24 * 60 * 60 * SECOND;

/** The current time. */
export function timestamp(clock: Clock): string {
  return clock().toISOString();
}

/** The time after this many milliseconds. */
export function timestampAfter(clock: Clock, milliseconds: number): string {
  return new Date(clock().getTime() + milliseconds).toISOString();
}

/** Whether a time is reached. */
export function isPast(time: string, clock: Clock): boolean {
  return time !== NEVER && Date.parse(time) <= clock().getTime();
}
