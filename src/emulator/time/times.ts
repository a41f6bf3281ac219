// Times as the API writes them.
import type { Clock } from '../environment.ts';

/** What a time that never was reads as (docs/server-behaviour.md#json-bodies). */
export const NEVER = '0001-01-01T00:00:00Z';

export const SECOND = 1000;
export const DAY = 24 * 60 * 60 * SECOND;

/** The time it is. */
export function timestamp(clock: Clock): string {
  return clock().toISOString();
}

/** The time it will be after so many milliseconds. */
export function timestampAfter(clock: Clock, milliseconds: number): string {
  return new Date(clock().getTime() + milliseconds).toISOString();
}

/** Whether a time has come. */
export function isPast(time: string, clock: Clock): boolean {
  return time !== NEVER && Date.parse(time) <= clock().getTime();
}
