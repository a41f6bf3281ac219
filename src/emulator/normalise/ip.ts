// IP addresses, parsed strictly and written in their canonical form. This implementation is independent of the client's.
import { isIP } from 'node:net';

export interface Ip {
  readonly version: 4 | 6;
  readonly value: bigint;
}

/** The number of bits of an address. */
export const WIDTH = { 4: 32, 6: 128 } as const;

/** Parses an address; undefined for leading zeros, missing parts or a zone. */
export function parseIp(text: string): Ip | undefined {
  const version = text.includes('%') ? 0 : isIP(text);
  if (version === 4) return { version, value: fromParts(text.split('.').map(BigInt), 8n) };
  if (version === 6) return { version, value: fromParts(groupsOf(text), 16n) };
  return undefined;
}

/** IPv4 as four decimal parts; IPv6 in lower case with the longest run of zeros compressed. */
export function formatIp({ version, value }: Ip): string {
  if (version === 4) return toParts(value, 4, 8n).join('.');
  const groups = toParts(value, 8, 16n);
  // An IPv4 address inside an IPv6 address is written in decimal parts.
  if (value >> 32n === 0xffffn) return `::ffff:${toParts(value & 0xffffffffn, 4, 8n).join('.')}`;
  const texts = groups.map(group => group.toString(16));
  const { start, length } = longestZeroRun(groups);
  if (length < 2) return texts.join(':');
  return `${texts.slice(0, start).join(':')}::${texts.slice(start + length).join(':')}`;
}

function groupsOf(text: string): readonly bigint[] {
  const [head = '', tail] = withoutDecimalTail(text).split('::');
  const start = hexGroups(head);
  const end = hexGroups(tail ?? '');
  const gap = Array.from({ length: 8 - start.length - end.length }, () => 0n);
  return [...start, ...gap, ...end];
}

/** `::ffff:1.2.3.4` as `::ffff:102:304`. */
function withoutDecimalTail(text: string): string {
  const start = text.lastIndexOf(':') + 1;
  const tail = text.slice(start);
  if (!tail.includes('.')) return text;
  const value = fromParts(tail.split('.').map(BigInt), 8n);
  return `${text.slice(0, start)}${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
}

function hexGroups(text: string): readonly bigint[] {
  return text === '' ? [] : text.split(':').map(group => BigInt(`0x${group}`));
}

function fromParts(parts: readonly bigint[], bits: bigint): bigint {
  return parts.reduce((value, part) => (value << bits) | part, 0n);
}

function toParts(value: bigint, count: number, bits: bigint): readonly bigint[] {
  const mask = (1n << bits) - 1n;
  return Array.from(
    { length: count },
    (_, index) => (value >> (BigInt(count - 1 - index) * bits)) & mask,
  );
}

function longestZeroRun(groups: readonly bigint[]): { start: number; length: number } {
  let longest = { start: 0, length: 0 };
  let start = 0;
  for (const [index, group] of groups.entries()) {
    if (group !== 0n) start = index + 1;
    else if (index - start + 1 > longest.length) longest = { start, length: index - start + 1 };
  }
  return longest;
}
