// Compares the clock of this machine with the clock of the server. If they differ too much, neither
// is trusted to determine what has ended.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { timeText } from '../../model/ending.ts';

/** The smallest difference, in milliseconds, at which neither clock is trusted. */
const MOST_SKEW = 5 * 60 * 1000;

/** The time of this machine's clock, in milliseconds, and how far the clock of the server is ahead. */
export interface Clocks {
  readonly now: number;
  /** Undefined if the server does not send its time. */
  readonly skew: number | undefined;
}

/** Whether the clocks differ by five minutes or more. */
export const isOtherTime = ({ skew = 0 }: Pick<Clocks, 'skew'>): boolean =>
  Math.abs(skew) >= MOST_SKEW;

/** Whether a time has passed by the clock of the server, but not by the clock of this machine. */
export const isBetween = (time: number, { now, skew = 0 }: Clocks): boolean =>
  time > now && time <= now + skew;

/** The finding that the clocks differ. `so` is the consequence, for example `nothing ends`. */
export function clockDiffers(
  { now, skew = 0 }: Clocks,
  severity: 'error' | 'warning',
  so = 'nothing ends',
): Diagnostic {
  return {
    code: 'CLOCK_DIFFERS',
    severity,
    message: `the clock of this machine reads ${timeText(now)}, ${gapText(Math.abs(skew))} ${skew > 0 ? 'behind' : 'ahead of'} the clock of the server, so ${so}`,
    hint: 'set the clock of this machine, or that of the server',
  };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

// A difference of five minutes or more, in the largest unit that fits into it at least twice.
function gapText(milliseconds: number): string {
  if (milliseconds < 2 * HOUR) return `${Math.floor(milliseconds / MINUTE)} minutes`;
  if (milliseconds < 2 * DAY) return `${Math.floor(milliseconds / HOUR)} hours`;
  return `${Math.floor(milliseconds / DAY)} days`;
}
