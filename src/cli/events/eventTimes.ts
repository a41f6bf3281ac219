// Times on the command line: one of the calendar, or so long ago.
import { type Moment, momentOf, momentOfClock } from '../../api/events/time.ts';
import { quoted } from '../../model/text/visible.ts';
import { EXIT } from '../exitCodes.ts';
import { Stop } from '../stop.ts';

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

// Milliseconds in a span such as `90s`, `15m`, `2h`, `7d`.
function spanOf(text: string): number | null {
  const [, count, unit = ''] = text.match(/^(\d{1,6})([smhdw])$/) ?? [];
  return count === undefined ? null : Number(count) * (UNITS[unit] ?? 0);
}

/** The moment that `text` means at `now`. Throws a `Stop` that names the flag. */
export function momentFrom(text: string, flag: string, now: number): Moment {
  const ago = spanOf(text);
  if (ago !== null) return momentOfClock(now - ago);
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text;
  const moment = momentOf(day);
  if (moment !== null) return moment;
  const hint = 'such as 2h, 7d, 2026-01-31 or 2026-01-31T12:00:00Z';
  throw new Stop(EXIT.usage, `${quoted(text)} of ${flag} is neither a time nor a duration`, hint);
}
