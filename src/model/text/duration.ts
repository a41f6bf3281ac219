// Durations as people write them: `90s`, `15m`, `2h`, `7d`.

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** A hundred years, so that dates before and after the current time have years of four digits. */
const LONGEST = 36_525 * 86_400_000;

/**
 * The milliseconds in a duration such as `90s`, `15m`, `2h`, `7d`; null if the text is not a duration, or is longer than a
 * hundred years.
 */
export function spanOf(text: string): number | null {
  const [, count, unit = ''] = text.match(/^(\d{1,9})([smhdw])$/) ?? [];
  if (count === undefined) return null;
  const span = Number(count) * (UNITS[unit] ?? 0);
  return span > LONGEST ? null : span;
}
