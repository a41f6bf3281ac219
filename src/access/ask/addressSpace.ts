// A set of addresses and domains, and what has a part in common with it: the same range, a range within it, or a range that
// covers it.
import { domainText } from '../../kinds/values/domain.ts';
import { bits, type Prefix } from '../../kinds/values/ip.ts';
import { rangeOf } from './address.ts';

/** Whether an address, range or domain has a part in common with a set of them. */
export type Touches = (address: string) => boolean;

/** Both ends are included. */
interface Interval {
  readonly first: bigint;
  readonly last: bigint;
}

type Version = Prefix['version'];

/** Ranges that nobody reaches through the internet. */
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
];

/**
 * The set of these addresses, ranges and domains. A default route in it stands for the internet: a narrower range has a part in
 * common with it only if it has public addresses. A default route outside of it covers everything in it: domains too, whatever
 * they resolve to.
 */
export function addressSpace(addresses: readonly string[]): Touches {
  const ranges = addresses.flatMap(address => rangeOf(address) ?? []);
  const domains = addresses.filter(address => rangeOf(address) === null).map(domainText);
  const narrow = ranges.filter(range => !isDefault(range));
  const intervals = { 4: intervalsOf(narrow, 4), 6: intervalsOf(narrow, 6) };
  const defaults = new Set(ranges.filter(isDefault).map(({ version }) => version));
  const touchesDomain = touchingDomains(domains);
  return address => {
    const range = rangeOf(address);
    if (range === null) return touchesDomain(domainText(address));
    if (isDefault(range) && domains.length > 0) return true;
    if (touchesAny(intervals[range.version], intervalOf(range))) return true;
    return defaults.has(range.version) && !isPrivate(range);
  };
}

const isDefault = ({ length }: Prefix): boolean => length === 0;

function isPrivate(range: Prefix): boolean {
  const { first, last } = intervalOf(range);
  return intervalsOf(
    PRIVATE.flatMap(text => rangeOf(text) ?? []),
    range.version,
  ).some(one => one.first <= first && last <= one.last);
}

function intervalOf({ version, address, length }: Prefix): Interval {
  const host = BigInt(bits(version) - length);
  const first = (address >> host) << host;
  return { first, last: first + (1n << host) - 1n };
}

// Prefixes are nested or disjoint: without those that lie in others, a sorted list of them has sorted ends too.
function intervalsOf(ranges: readonly Prefix[], version: Version): readonly Interval[] {
  const sorted = ranges
    .filter(range => range.version === version)
    .toSorted((one, other) => one.length - other.length)
    .map(intervalOf)
    .toSorted((one, other) => (one.first < other.first ? -1 : one.first > other.first ? 1 : 0));
  const disjoint: Interval[] = [];
  for (const interval of sorted) {
    const last = disjoint.at(-1);
    if (last === undefined || interval.first > last.last) disjoint.push(interval);
  }
  return disjoint;
}

/** Whether a range touches any of these, found by bisection: a group of a large account has thousands of addresses. */
function touchesAny(intervals: readonly Interval[], { first, last }: Interval): boolean {
  let low = 0;
  let high = intervals.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((intervals[middle]?.last ?? first) < first) low = middle + 1;
    else high = middle;
  }
  const next = intervals[low];
  return next !== undefined && next.first <= last;
}

function touchingDomains(domains: readonly string[]): (domain: string) => boolean {
  const known = new Set(domains);
  const covering = new Set(domains.flatMap(wildcardsOver));
  return domain =>
    known.has(domain) || covering.has(domain) || wildcardsOver(domain).some(one => known.has(one));
}

/** The wildcards that cover a domain: `*.b.c` and `*.c` for `a.b.c`, and `*.c` for `*.b.c`. */
function wildcardsOver(domain: string): readonly string[] {
  const labels = domain.split('.').slice(1);
  const from = domain.startsWith('*.') ? 1 : 0;
  return labels.slice(from).map((_, at) => `*.${labels.slice(from + at).join('.')}`);
}
