// Decodes a lifetime that is written in days, and read back as its start and end times.
import type { Fields, Json } from '../../model/value.ts';

const DAY = 86_400_000;

/** The days from `created_at` to `expiration_date`: always a whole number (docs/server-behaviour.md#personal-access-tokens). */
export function decodeLifetimeInDays(
  _: Json | undefined,
  { created_at: from, expiration_date: to }: Fields,
): Json | undefined {
  const days = (Date.parse(String(to)) - Date.parse(String(from))) / DAY;
  return Number.isFinite(days) ? Math.round(days) : undefined;
}
