// The lifetime of an object, in the seconds that a create takes: its original lifetime, otherwise the remaining one.
import type { Field } from '../kinds/kind.ts';
import type { Dialect } from '../kinds/traits.ts';

const DAY = 86_400;
const HOUR = 3_600;

/** The times of an object in milliseconds, as far as they are known: `since` changes with an update on some servers. */
interface Times {
  readonly since: number | undefined;
  readonly end: number | undefined;
}

/** The seconds that a new object can request, within the limits of the field, and a note about them. */
export function lifetime(
  { schema, limits }: Field,
  { since, end }: Times,
  { now, dialect }: { readonly now: number; readonly dialect?: Dialect | undefined },
): { readonly seconds: number; readonly note?: string } {
  // If the dialect is unknown, the value must suit every server.
  const narrow = dialect ? [limits?.[dialect] ?? {}] : Object.values(limits ?? {});
  const from = Math.max(Number(schema.minimum ?? 1), ...narrow.map(({ minimum = 0 }) => minimum));
  const most = Math.min(
    Number(schema.maximum ?? Number.MAX_SAFE_INTEGER),
    ...narrow.map(({ maximum = Number.MAX_SAFE_INTEGER }) => maximum),
  );
  if (end === undefined && from === 0) return { seconds: 0 };
  // If 0 is allowed, it means never.
  const least = Math.max(from, 1);
  if (end === undefined)
    return { seconds: most, note: 'it never expires; a new object can request at most this' };
  const original = since === undefined ? null : wholeSpan(end - since);
  if (original !== null && original >= least && original <= most) return { seconds: original };
  const left = Math.round((end - now) / 1000);
  const step = left >= DAY ? DAY : left >= HOUR ? HOUR : 60;
  const seconds = Math.round(left / step) * step;
  if (seconds < least) return { seconds: least, note: `less is left, but ${LEAST}` };
  if (seconds > most) return { seconds: most, note: 'more is left; a new object can request this' };
  return { seconds, note: 'the time that was left; the account does not return the original one' };
}

// Seconds, if the span is one that people choose: whole hours, or whole minutes up to an hour. Otherwise null, because `since`
// was probably the time of an update.
function wholeSpan(milliseconds: number): number | null {
  const seconds = Math.round(milliseconds / 1000);
  const step = seconds > HOUR ? HOUR : 60;
  const whole = Math.round(seconds / step) * step;
  return Math.abs(seconds - whole) <= INEXACT ? whole : null;
}

/** The tolerance in seconds: servers read their clock once for each of the two times, and drop fractions of a second. */
const INEXACT = 1;

const LEAST = 'a new object must request at least this';
