// IP addresses and prefixes, parsed strictly and written in canonical form (RFC 5952 for IPv6). No library is used, because
// common libraries read `010.0.0.1` as octal and `10.0.0/8` as `0.0.0.0/8`.
import { isIPv6 } from 'node:net';

export interface Prefix {
  readonly version: 4 | 6;
  readonly address: bigint;
  readonly length: number;
}

const PLAIN_V4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** The address as a number; null unless it is a plain IPv4 or IPv6 address without a zone. */
export function parseIp(text: string): { version: 4 | 6; address: bigint } | null {
  if (PLAIN_V4.test(text)) return { version: 4, address: parseV4(text) };
  // The test for a colon comes first because it is cheap, and most texts are not IPv6 addresses.
  const isV6 = text.includes(':') && !text.includes('%') && isIPv6(text);
  return isV6 ? { version: 6, address: parseV6(text) } : null;
}

/** The prefix as given, including host bits; null unless the text is `address/length` with a length that fits. */
export function parsePrefix(text: string): Prefix | null {
  const [address = '', length = '', ...rest] = text.split('/');
  const ip = parseIp(address);
  if (!ip || rest.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(length)) return null;
  return Number(length) <= bits(ip.version) ? { ...ip, length: Number(length) } : null;
}

/** The prefix with its host bits cleared. */
export function masked(prefix: Prefix): Prefix {
  const host = BigInt(bits(prefix.version) - prefix.length);
  return { ...prefix, address: (prefix.address >> host) << host };
}

/** The canonical text of a prefix. */
export function prefixText(prefix: Prefix): string {
  return `${addressText(prefix)}/${prefix.length}`;
}

/** The canonical text of an address. */
export function addressText({ version, address }: Pick<Prefix, 'version' | 'address'>): string {
  return version === 4 ? textV4(address) : textV6(address);
}

/** An IPv6 address without its zone, which is local to a machine; any other text unchanged. */
export function withoutZone(text: string): string {
  const [, address] = /^([^%/]*:[^%/]*)%[^/]+$/.exec(text) ?? [];
  return address ?? text;
}

/** The number of bits in an address of this version. */
export function bits(version: 4 | 6): 32 | 128 {
  return version === 4 ? 32 : 128;
}

function parseV4(text: string): bigint {
  return text.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
}

function parseV6(text: string): bigint {
  const embedded = text.match(/^(.*:)(\d+\.\d+\.\d+\.\d+)$/);
  const plain = embedded ? embedded[1] + v4AsGroups(embedded[2] ?? '') : text;
  const [head = '', tail] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(gap).fill('0'), ...right];
  return groups.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}

function v4AsGroups(text: string): string {
  const address = parseV4(text);
  return `${(address >> 16n).toString(16)}:${(address & 0xffffn).toString(16)}`;
}

function textV4(address: bigint): string {
  return [24n, 16n, 8n, 0n].map(shift => (address >> shift) & 0xffn).join('.');
}

function textV6(address: bigint): string {
  // IPv4-mapped addresses are written with dots, as the server and its standard library write them.
  if (address >> 32n === 0xffffn) return `::ffff:${textV4(address & 0xffffffffn)}`;
  const groups = Array.from({ length: 8 }, (_, i) =>
    ((address >> BigInt(112 - 16 * i)) & 0xffffn).toString(16),
  );
  const run = longestZeroRun(groups);
  if (run.length < 2) return groups.join(':');
  return `${groups.slice(0, run.start).join(':')}::${groups.slice(run.start + run.length).join(':')}`;
}

function longestZeroRun(groups: readonly string[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let start = 0;
  groups.forEach((group, i) => {
    if (group !== '0') start = i + 1;
    else if (i + 1 - start > best.length) best = { start, length: i + 1 - start };
  });
  return best;
}
