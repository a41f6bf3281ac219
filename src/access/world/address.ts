// Addresses and domains: finds the routed destinations that contain a written address.
import { domainText } from '../../kinds/values/domain.ts';
import { bits, masked, type Prefix, parseIp, parsePrefix } from '../../kinds/values/ip.ts';

/** Whether a text has the form of a domain. */
export function isDomain(text: string): boolean {
  return /^(\*\.)?([a-z0-9_-]+\.)+[a-z0-9-]+$/i.test(text);
}

export function isAddressOrRange(text: string): boolean {
  return rangeOf(text) !== null;
}

/**
 * The difference in size between `range` and `address`, in bits or labels; undefined if `address`
 * is not inside `range`.
 */
export function distanceWithin(address: string, range: string): number | undefined {
  const one = rangeOf(address);
  const other = rangeOf(range);
  if (one === null || other === null)
    return one === null && other === null ? labelsBetween(address, range) : undefined;
  if (one.version !== other.version || one.length < other.length) return undefined;
  const host = BigInt(bits(one.version) - other.length);
  return one.address >> host === other.address >> host ? one.length - other.length : undefined;
}

/** Whether two ranges have an address in common, or two domains have a name in common. */
export function haveCommonAddresses(one: string, other: string): boolean {
  if (distanceWithin(one, other) !== undefined || distanceWithin(other, one) !== undefined)
    return true;
  const [ranges, others] = [one, other].map(text => rangesIn(text).filter(isNarrow));
  return ranges?.some(range => others?.some(another => overlap(range, another))) === true;
}

const isNarrow = ({ length }: Prefix): boolean => length > 0;

function overlap(one: Prefix, other: Prefix): boolean {
  const host = BigInt(bits(one.version) - Math.min(one.length, other.length));
  return one.version === other.version && one.address >> host === other.address >> host;
}

function labelsBetween(domain: string, pattern: string): number | undefined {
  const name = domainText(domain);
  const wanted = domainText(pattern);
  if (name === wanted) return 0;
  if (!wanted.startsWith('*.') || !name.endsWith(wanted.slice(1))) return undefined;
  return name.split('.').length - wanted.split('.').length + 1;
}

/**
 * The range of addresses in a text; null if the text contains none. An IPv4 address written as an IPv6 address counts as IPv4,
 * and so does one in the form for NAT64.
 */
export function rangeOf(text: string): Prefix | null {
  const ip = parseIp(text);
  const range = ip === null ? parsePrefix(text) : { ...ip, length: bits(ip.version) };
  return range && asIPv4(range);
}

/**
 * All ranges to which the addresses in a text may lead: the range itself, and the IPv4 addresses
 * that routers between IPv6 and IPv4 derive from its addresses. Empty if the text contains no
 * range.
 */
export function rangesIn(text: string): readonly Prefix[] {
  const range = rangeOf(text);
  if (range === null) return [];
  if (range.version === 4) return [range];
  return [range, ...CARRIERS.flatMap(carrier => carriedIn(range, carrier))];
}

/**
 * The ranges to which a range leads if it opens all of its addresses. A wide IPv6 range also leads
 * to every IPv4 address that routers between IPv6 and IPv4 derive from its addresses.
 */
export function rangesThrough(text: string): readonly Prefix[] {
  const ranges = rangesIn(text);
  const [range] = ranges;
  const isWide =
    range?.version === 6 && CARRIERS.some(one => one.length > range.length && overlap(one, range));
  return isWide ? [...ranges, ALL_IPV4] : ranges;
}

const ALL_IPV4: Prefix = { version: 4, address: 0n, length: 0 };

/**
 * A range of IPv6 addresses that contain an IPv4 address. The IPv4 address starts at the bit `at`.
 */
interface Carrier extends Prefix {
  readonly at: number;
  /** Whether each bit of the IPv4 address is inverted. */
  readonly isInverted?: boolean;
}

const carrier = (start: bigint, length: number, at: number): Carrier => ({
  version: 6,
  address: start << BigInt(128 - length),
  length,
  at,
});

const MAPPED = 0xffffn;
/** `64:ff9b::/96`: routers translate these addresses to IPv4. */
const NAT64 = 0x64ff9bn << 64n;

const CARRIERS: readonly Carrier[] = [
  carrier(MAPPED, 96, 96),
  carrier(NAT64, 96, 96),
  // `64:ff9b:1::/48`: NAT64 within a site (RFC 8215).
  carrier(0x64ff9b0001n, 48, 96),
  // `2002::/16`: 6to4 (RFC 3056).
  carrier(0x2002n, 16, 16),
  // `2001::/32`: Teredo, with the address of the client (RFC 4380).
  { ...carrier(0x20010000n, 32, 96), isInverted: true },
  // `::/96`: an obsolete notation for an IPv4 address (RFC 4291, 2.5.5.1).
  carrier(0n, 96, 96),
];

/** The smallest IPv4 address that counts. `::` and `::1` contain none, and an address in `0.0.0.0/8` does not count either. */
const LEAST = 1n << 24n;

function carriedIn(
  { address, length }: Prefix,
  { at, isInverted = false, ...own }: Carrier,
): readonly Prefix[] {
  if (length < own.length || !overlap(own, { version: 6, address, length })) return [];
  const carried = (address >> BigInt(96 - at)) & 0xffffffffn;
  const range = masked({
    version: 4,
    address: isInverted ? carried ^ 0xffffffffn : carried,
    length: Math.min(32, Math.max(0, length - at)),
  });
  return range.length >= 8 && range.address < LEAST ? [] : [range];
}

function asIPv4(range: Prefix): Prefix {
  const { version, address, length } = range;
  const start = address >> 32n;
  if (version === 4 || length < 96 || (start !== MAPPED && start !== NAT64)) return range;
  return { version: 4, address: address & 0xffffffffn, length: length - 96 };
}
