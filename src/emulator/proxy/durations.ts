// Durations as the server's language writes them: `1m30s`, `1.5s`.

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const PART = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;
const WHOLE = /^[+-]?(0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;

/** The nanoseconds of a text; undefined if it is not a duration. */
export function parseDuration(text: string): bigint | undefined {
  const [, digits] = text.match(WHOLE) ?? [];
  if (digits === undefined) return undefined;
  const parts = [...digits.matchAll(PART)].map(([, number = '', unit = '']) => {
    const [whole = '', fraction = ''] = number.split('.');
    const size = UNITS[unit] ?? 0n;
    const rest = fraction === '' ? 0n : (BigInt(fraction) * size) / 10n ** BigInt(fraction.length);
    return BigInt(whole || '0') * size + rest;
  });
  const sum = parts.reduce((all, part) => all + part, 0n);
  return text.startsWith('-') ? -sum : sum;
}

/** The canonical text of a positive duration. */
export function formatDuration(nanoseconds: bigint): string {
  for (const [unit, next] of [
    ['ns', 'µs'],
    ['µs', 'ms'],
    ['ms', 's'],
  ] as const)
    if (nanoseconds < (UNITS[next] ?? 0n))
      return `${decimal(nanoseconds, UNITS[unit] ?? 1n)}${unit}`;
  const hours = nanoseconds / 3_600_000_000_000n;
  const minutes = (nanoseconds / 60_000_000_000n) % 60n;
  const seconds = `${decimal(nanoseconds % 60_000_000_000n, 1_000_000_000n)}s`;
  if (hours > 0n) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0n ? `${minutes}m${seconds}` : seconds;
}

/** A quotient with all its decimals. */
function decimal(value: bigint, size: bigint): string {
  const digits = String(size).length - 1;
  const fraction = String(value % size)
    .padStart(digits, '0')
    .replace(/0+$/, '');
  return fraction === '' ? String(value / size) : `${value / size}.${fraction}`;
}
