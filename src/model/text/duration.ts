// Durations as people write them: `90s`, `15m`, `2h`, `7d`.

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** The milliseconds in a duration such as `90s`, `15m`, `2h`, `7d`; null if the text is not a duration. */
export function spanOf(text: string): number | null {
  const [, count, unit = ''] = text.match(/^(\d{1,6})([smhdw])$/) ?? [];
  return count === undefined ? null : Number(count) * (UNITS[unit] ?? 0);
}
