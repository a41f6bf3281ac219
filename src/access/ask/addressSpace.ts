// A set of addresses and domains. Finds everything that overlaps a range: the same range, ranges inside it, and ranges around it.
import { domainText } from '../../kinds/values/domain.ts';
import { bits, type Prefix } from '../../kinds/values/ip.ts';
import { rangesIn, rangesThrough } from '../world/address.ts';
import { wildcardsOver } from '../world/replies.ts';

/** An address, a range of addresses, or a domain. It is parsed only once, because a large account compares thousands of them. */
export type Place = Range | { readonly domain: string };

/** Both ends are included. */
interface Range {
  readonly version: Prefix['version'];
  readonly length: number;
  readonly first: bigint;
  readonly last: bigint;
}

/** Parses an address, a range or a domain. Returns the places to which it leads. */
export function placesIn(text: string): readonly Place[] {
  return placesAmong(text, rangesIn(text));
}

/** The places to which a range leads if it opens all of its addresses. */
export function placesThrough(text: string): readonly Place[] {
  return placesAmong(text, rangesThrough(text));
}

const placesAmong = (text: string, ranges: readonly Prefix[]): readonly Place[] =>
  ranges.length === 0 ? [{ domain: domainText(text) }] : ranges.map(rangePlace);

function rangePlace({ version, address, length }: Prefix): Range {
  const host = BigInt(bits(version) - length);
  const first = (address >> host) << host;
  return { version, length, first, last: first + (1n << host) - 1n };
}

/**
 * Ranges that nobody can reach through the internet. More ranges are excluded for callers
 * (`kinds/values/wholeInternet.ts`): no caller has an address in `64:ff9b::/96`, although that
 * range leads to all of IPv4.
 */
const PRIVATE = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
]
  .flatMap(rangesIn)
  .map(rangePlace);

/**
 * Returns whether a place overlaps any of `places`. A default route in `places` stands for the
 * internet, so a narrower range overlaps it only if that range has public addresses. If the given
 * place is a default route, it overlaps everything, including domains, because a domain may resolve
 * to any address.
 */
export function addressSpace(places: readonly Place[]): (other: Place) => boolean {
  const ranges = places.filter(isRange);
  const domains = places.flatMap(place => (isRange(place) ? [] : place.domain));
  const narrow = disjoint(ranges.filter(range => !isDefault(range)));
  const defaults = new Set(ranges.filter(isDefault).map(({ version }) => version));
  const touchesDomain = touchingDomains(domains);
  return other => {
    if (!isRange(other)) return touchesDomain(other.domain);
    if (isDefault(other) && domains.length > 0) return true;
    return touchesAny(narrow, other) || (defaults.has(other.version) && !isPrivate(other));
  };
}

/** Whether a place leads everywhere. */
export const isEverywhere = (place: Place): boolean => isRange(place) && isDefault(place);

function isRange(place: Place): place is Range {
  return 'version' in place;
}

const isDefault = ({ length }: Range): boolean => length === 0;

const isPrivate = ({ version, first, last }: Range): boolean =>
  PRIVATE.some(one => one.version === version && one.first <= first && last <= one.last);

// Prefixes are nested or disjoint. After nested ones are removed, sorting by the first address also sorts by the last address.
function disjoint(ranges: readonly Range[]): readonly Range[] {
  const sorted = ranges.toSorted(
    (one, other) =>
      one.version - other.version || order(one.first, other.first) || one.length - other.length,
  );
  const kept: Range[] = [];
  for (const range of sorted) {
    const last = kept.at(-1);
    if (last?.version !== range.version || range.first > last.last) kept.push(range);
  }
  return kept;
}

const order = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0);

/** Whether a range overlaps any of these ranges, found by binary search. */
function touchesAny(ranges: readonly Range[], { version, first, last }: Range): boolean {
  const isBefore = (one: Range) =>
    one.version < version || (one.version === version && one.last < first);
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const one = ranges[middle];
    if (one && isBefore(one)) low = middle + 1;
    else high = middle;
  }
  const next = ranges[low];
  return next?.version === version && next.first <= last;
}

function touchingDomains(domains: readonly string[]): (domain: string) => boolean {
  const known = new Set(domains);
  const covering = new Set(domains.flatMap(wildcardsOver));
  return domain =>
    known.has(domain) || covering.has(domain) || wildcardsOver(domain).some(one => known.has(one));
}
