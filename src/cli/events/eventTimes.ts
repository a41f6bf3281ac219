// Times on the command line: a date and time, or a duration before now.
import { type Moment, momentOf, momentOfClock, momentText } from '../../api/events/time.ts';
import { spanOf } from '../../model/text/duration.ts';
import { quoted } from '../../model/text/visible.ts';
import { EXIT } from '../exitCodes.ts';
import { Stop } from '../stop.ts';

/** The time that `text` denotes at `now`. Throws a `Stop` that names the flag. */
export function momentFrom(text: string, flag: string, now: number): Moment {
  const ago = spanOf(text);
  if (ago !== null) return momentOfClock(now - ago);
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text;
  const moment = momentOf(day);
  if (moment !== null) return moment;
  const hint = 'such as 2h, 7d, 2026-01-31 or 2026-01-31T12:00:00Z';
  throw new Stop(EXIT.usage, `${quoted(text)} of ${flag} is neither a time nor a duration`, hint);
}

/**
 * The past moment that `text` denotes at `now`. Throws a `Stop` that names the flag if the text is
 * invalid or the moment is in the future.
 */
export function pastMomentFrom(text: string, flag: string, now: number): Moment {
  const moment = momentFrom(text, flag, now);
  if (moment <= momentOfClock(now)) return moment;
  const hint = `give a time in the past, such as 2h or 7d; it is ${momentText(momentOfClock(now))} now`;
  throw new Stop(EXIT.usage, `${quoted(text)} of ${flag} is in the future`, hint);
}
