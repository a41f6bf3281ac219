// Times in logs, to the nanosecond. Servers write different numbers of digits, and events within
// one millisecond have an order.

import { timeIn } from '../../model/text/calendar.ts';

/** Nanoseconds since 1970. */
export type Moment = bigint;

const TIME = /^(\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2})(?:\.(\d{1,9})\d*)?([Zz]|[+-]\d{2}:\d{2})$/;
const NANOSECONDS_IN_MILLISECOND = 1_000_000n;

/** Parses a time in RFC 3339; null if the text is not a time. */
export function momentOf(text: string): Moment | null {
  const [, second, fraction = '', zone] = text.match(TIME) ?? [];
  const milliseconds = timeIn(`${second}${zone}`);
  if (second === undefined || Number.isNaN(milliseconds)) return null;
  return momentOfClock(milliseconds) + BigInt(fraction.padEnd(9, '0'));
}

/** The time of a clock in milliseconds since 1970. */
export const momentOfClock = (milliseconds: number): Moment =>
  BigInt(Math.floor(milliseconds)) * NANOSECONDS_IN_MILLISECOND;

/** A time for a request: RFC 3339 in UTC, rounded down to a millisecond. */
export function momentText(moment: Moment): string {
  const whole = moment / NANOSECONDS_IN_MILLISECOND;
  const isBefore = moment % NANOSECONDS_IN_MILLISECOND < 0n;
  return new Date(Number(isBefore ? whole - 1n : whole)).toISOString();
}
