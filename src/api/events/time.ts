// Moments in logs, to the nanosecond: servers write as many digits as they have, and events of one moment have an order.

/** Nanoseconds since 1970. */
export type Moment = bigint;

const TIME = /^(\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2})(?:\.(\d{1,9})\d*)?([Zz]|[+-]\d{2}:\d{2})$/;
const NANOSECONDS_IN_MILLISECOND = 1_000_000n;

/** The moment that a text of RFC 3339 names; null where it is none. */
export function momentOf(text: string): Moment | null {
  const [, second, fraction = '', zone] = text.match(TIME) ?? [];
  const milliseconds = Date.parse(`${second}${zone}`);
  if (second === undefined || Number.isNaN(milliseconds)) return null;
  return momentOfClock(milliseconds) + BigInt(fraction.padEnd(9, '0'));
}

/** The moment of a clock that counts milliseconds since 1970. */
export const momentOfClock = (milliseconds: number): Moment =>
  BigInt(Math.floor(milliseconds)) * NANOSECONDS_IN_MILLISECOND;

/** A moment as servers are asked for it: RFC 3339 in UTC, down to the millisecond before it. */
export function momentText(moment: Moment): string {
  const whole = moment / NANOSECONDS_IN_MILLISECOND;
  const isBefore = moment % NANOSECONDS_IN_MILLISECOND < 0n;
  return new Date(Number(isBefore ? whole - 1n : whole)).toISOString();
}
