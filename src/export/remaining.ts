// How long something is still good for, in the seconds that its making takes.
import type { Field } from '../kinds/kind.ts';

const DAY = 86_400;
const HOUR = 3_600;

/** Seconds left until `end`, rounded as people would, and within what the field takes. */
export function remaining(
  { schema }: Field,
  end: number | undefined,
  now: number,
): { readonly seconds: number; readonly note?: string } {
  const least = Number(schema.minimum ?? 1);
  const most = Number(schema.maximum ?? Number.MAX_SAFE_INTEGER);
  if (end === undefined)
    return { seconds: most, note: 'it never ends; a new one can be asked for no longer than this' };
  const left = Math.round((end - now) / 1000);
  const step = left >= DAY ? DAY : left >= HOUR ? HOUR : 60;
  return { seconds: Math.min(most, Math.max(least, Math.round(left / step) * step)) };
}
