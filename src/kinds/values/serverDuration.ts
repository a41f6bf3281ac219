// Durations as the public server reads and writes them: `90s`, `1m30s`, `1.5s` (docs/server-behaviour.md#reverse-proxy).

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

const NUMBER = String.raw`(?:\d+(?:\.\d*)?|\.\d+)`;
const UNIT = '(?:ns|us|µs|μs|ms|s|m|h)';
const WHOLE = new RegExp(`^\\+?(?:0|(?:${NUMBER}${UNIT})+)$`);
const PART = new RegExp(`(${NUMBER})(${UNIT})`, 'g');

/** Whether a text is a duration that is not negative. */
export function isDuration(text: string): boolean {
  return WHOLE.test(text);
}

/** A duration in its shortest form; an empty text for zero; any other text unchanged. */
export function durationText(text: string): string {
  if (!isDuration(text)) return text;
  const length = [...text.matchAll(PART)].reduce(
    (sum, [, number = '', unit = '']) => sum + inNanoseconds(number, UNITS[unit] ?? 0n),
    0n,
  );
  return length === 0n ? '' : shortest(length);
}

function inNanoseconds(number: string, unit: bigint): bigint {
  const [whole = '', fraction = ''] = number.split('.');
  const rest = fraction === '' ? 0n : (BigInt(fraction) * unit) / 10n ** BigInt(fraction.length);
  return BigInt(whole || '0') * unit + rest;
}

function shortest(length: bigint): string {
  for (const [unit, next] of [
    ['ns', 'µs'],
    ['µs', 'ms'],
    ['ms', 's'],
  ] as const)
    if (length < (UNITS[next] ?? 0n)) return `${decimal(length, UNITS[unit] ?? 1n)}${unit}`;
  const hours = length / 3_600_000_000_000n;
  const minutes = (length / 60_000_000_000n) % 60n;
  const seconds = `${decimal(length % 60_000_000_000n, 1_000_000_000n)}s`;
  if (hours > 0n) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0n ? `${minutes}m${seconds}` : seconds;
}

// The quotient of a value and a power of ten, with as many decimal places as it needs.
function decimal(value: bigint, size: bigint): string {
  const digits = String(size).length - 1;
  const fraction = String(value % size)
    .padStart(digits, '0')
    .slice(0, digits)
    .replace(/0+$/, '');
  return fraction === '' ? String(value / size) : `${value / size}.${fraction}`;
}
