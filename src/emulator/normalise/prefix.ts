// Address ranges in CIDR notation.
import { formatIp, type Ip, parseIp, WIDTH } from './ip.ts';

export interface Prefix {
  readonly ip: Ip;
  readonly length: number;
}

/** Parses a range; undefined if the text is not a range. A bare address is not a range. */
export function parsePrefix(text: string): Prefix | undefined {
  const slash = text.lastIndexOf('/');
  const ip = slash < 0 ? undefined : parseIp(text.slice(0, slash));
  const digits = text.slice(slash + 1);
  if (ip === undefined || !/^(0|[1-9]\d{0,2})$/.test(digits)) return undefined;
  const length = Number(digits);
  return length > WIDTH[ip.version] ? undefined : { ip, length };
}

/** The canonical text of a range; host bits are kept. */
export function formatPrefix({ ip, length }: Prefix): string {
  return `${formatIp(ip)}/${length}`;
}

/** The range without its host bits. */
export function masked({ ip, length }: Prefix): Prefix {
  const hostBits = BigInt(WIDTH[ip.version] - length);
  return { ip: { ...ip, value: (ip.value >> hostBits) << hostBits }, length };
}

/** Whether an address is in a range. */
export function contains(prefix: Prefix, ip: Ip): boolean {
  const hostBits = BigInt(WIDTH[prefix.ip.version] - prefix.length);
  return ip.version === prefix.ip.version && ip.value >> hostBits === prefix.ip.value >> hostBits;
}
