// Parses the moment at which files are judged: a time with a zone, or a day. A day means its
// beginning in UTC.
import { InvalidArgumentError } from 'commander';
import { timeIn } from '../../model/text/calendar.ts';

const FORM = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** The moment in milliseconds. */
export function moment(text: string): number {
  const time = FORM.test(text) ? timeIn(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new InvalidArgumentError(
    'It must be a date, such as 2026-12-01, or a time with a zone, such as 2026-12-01T18:00:00Z.',
  );
}
