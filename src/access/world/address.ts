// Addresses and domains: the routed destinations that contain a written address.
import { domainText } from '../../kinds/values/domain.ts';
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

/** Whether two ranges have an address in common, or two domains a name. */
export const haveCommonAddresses = (one: string, other: string): boolean =>
  distanceWithin(one, other) !== undefined || distanceWithin(other, one) !== undefined;

function labelsBetween(domain: string, pattern: string): number | undefined {
  const name = domainText(domain);
  const wanted = domainText(pattern);
  if (name === wanted) return 0;
  if (!wanted.startsWith('*.') || !name.endsWith(wanted.slice(1))) return undefined;
  return name.split('.').length - wanted.split('.').length + 1;
}

/** The range of addresses that a text names; null if it names none. IPv4 addresses in the form of IPv6 are IPv4 addresses, those for NAT64 included. */
export function rangeOf(text: string): Prefix | null {
  const ip = parseIp(text);
  const range = ip === null ? parsePrefix(text) : { ...ip, length: bits(ip.version) };
  return range && asIPv4(range);
}

const MAPPED = 0xffffn;
/** `64:ff9b::/96`: routers translate these addresses to IPv4. */
const NAT64 = 0x64ff9bn << 64n;

function asIPv4(range: Prefix): Prefix {
  const { version, address, length } = range;
  const start = address >> 32n;
  if (version === 4 || length < 96 || (start !== MAPPED && start !== NAT64)) return range;
  return { version: 4, address: address & 0xffffffffn, length: length - 96 };
}
