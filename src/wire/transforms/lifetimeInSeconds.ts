// Decodes a lifetime that is written in seconds, and read back as its start and end times.
import type { Fields, Json } from '../../model/value.ts';

/** The seconds from `created_at` to `expires_at`; 0 if there is no expiry (docs/server-behaviour.md#reverse-proxy). */
export function decodeLifetimeInSeconds(
  _: Json | undefined,
  { created_at: from, expires_at: to }: Fields,
): Json | undefined {
  if (from === undefined) return undefined;
  if (to === undefined || to === null) return 0;
  const seconds = (Date.parse(String(to)) - Date.parse(String(from))) / 1000;
  return Number.isFinite(seconds) ? Math.round(seconds) : undefined;
}
