// Addresses and domains: the routed destinations that contain a written address.
import { bits, type Prefix, parseIp, parsePrefix } from '../../kinds/values/ip.ts';

/** Whether a text has the form of a domain. */
export function isDomain(text: string): boolean {
  return /^(\*\.)?([a-z0-9_-]+\.)+[a-z0-9-]+$/i.test(text);
}

/** Whether a text is an address or a range of addresses. */
export function isRange(text: string): boolean {
  return rangeOf(text) !== null;
}

/** How much of `range` is outside `address`, in bits or labels, if the address is part of it; undefined if it is not. */
export function distanceWithin(address: string, range: string): number | undefined {
  const one = rangeOf(address);
  const other = rangeOf(range);
  if (one === null || other === null)
    return one === null && other === null ? labelsBetween(address, range) : undefined;
  if (one.version !== other.version || one.length < other.length) return undefined;
  const host = BigInt(bits(one.version) - other.length);
  return one.address >> host === other.address >> host ? one.length - other.length : undefined;
}

function labelsBetween(domain: string, pattern: string): number | undefined {
  const name = domain.toLowerCase();
  const wanted = pattern.toLowerCase();
  if (name === wanted) return 0;
  if (!wanted.startsWith('*.') || !name.endsWith(wanted.slice(1))) return undefined;
  return name.split('.').length - wanted.split('.').length + 1;
}

function rangeOf(text: string): Prefix | null {
  const ip = parseIp(text);
  return ip === null ? parsePrefix(text) : { ...ip, length: bits(ip.version) };
}
