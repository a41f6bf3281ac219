// The remaining lifetime of an object, in the seconds that a create takes.
import type { Field } from '../kinds/kind.ts';
import type { Dialect } from '../kinds/traits.ts';

const DAY = 86_400;
const HOUR = 3_600;

/** Seconds left until `end`, rounded to a readable value, within the limits of the field, and what a reader should know of it. */
export function remaining(
  { schema, limits }: Field,
  end: number | undefined,
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
  const left = Math.round((end - now) / 1000);
  const step = left >= DAY ? DAY : left >= HOUR ? HOUR : 60;
  const seconds = Math.round(left / step) * step;
  if (seconds < least) return { seconds: least, note: `less is left, but ${LEAST}` };
  if (seconds > most) return { seconds: most, note: 'more is left; a new object can request this' };
  return { seconds, note: 'the time that was left; the account does not return the original one' };
}

const LEAST = 'a new object must request at least this';
