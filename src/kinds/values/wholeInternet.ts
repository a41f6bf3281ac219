// Whether lists of networks together cover other networks. If a list of admitted callers covers the whole internet of one address
// family, it excludes nobody. If a list of blocked networks covers all admitted callers, nobody is admitted.
import { bits, masked, type Prefix, parsePrefix } from './ip.ts';

// Networks from which nobody calls through the internet. In IPv6, only `2000::/3` is in use on the internet.
const ELSEWHERE = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '224.0.0.0/3',
  '::/3',
  '4000::/2',
  '8000::/1',
];

/** Whether the networks, written as prefixes, together contain every public address of IPv4 or every public address of IPv6. */
export function areWholeInternet(networks: readonly string[]): boolean {
  const listed = networks.flatMap(prefixesIn);
  const others = ELSEWHERE.flatMap(prefixesIn);
  return ([4, 6] as const).some(
    version =>
      listed.some(one => one.version === version) &&
      areEverything([...listed, ...others].filter(one => one.version === version)),
  );
}

/**
 * Whether some networks, written as prefixes, together contain every address of other networks. False if one of the others is not
 * a prefix.
 */
export function coverTogether(networks: readonly string[], others: readonly string[]): boolean {
  const listed = networks.flatMap(prefixesIn);
  return others.every(other => {
    const [prefix] = prefixesIn(other);
    return prefix !== undefined && isFilled(prefix, listed);
  });
}

const MAPPED = 0xffffn;

// The prefixes that a text denotes. A proxy treats an IPv4 address that is written within IPv6 like
// any other IPv4 address.
function prefixesIn(text: string): readonly Prefix[] {
  const prefix = parsePrefix(text);
  if (!prefix) return [];
  if (prefix.version === 4 || prefix.length < 96 || prefix.address >> 32n !== MAPPED)
    return [prefix];
  return [{ version: 4, address: prefix.address & 0xffffffffn, length: prefix.length - 96 }];
}

const areEverything = (prefixes: readonly Prefix[]): boolean => {
  const [first] = prefixes;
  return first !== undefined && isFilled({ ...first, address: 0n, length: 0 }, prefixes);
};

// Whether the prefixes, sorted by their first addresses, leave no gap in the whole.
function isFilled(whole: Prefix, prefixes: readonly Prefix[]): boolean {
  const [start, end] = endsOf(whole);
  let next = start;
  const among = prefixes.filter(({ version }) => version === whole.version);
  for (const one of among.map(masked).toSorted(byAddress)) {
    const [from, to] = endsOf(one);
    if (from > next) break;
    if (to > next) next = to;
  }
  return next >= end;
}

function endsOf(prefix: Prefix): readonly [bigint, bigint] {
  const { version, address, length } = masked(prefix);
  return [address, address + (1n << BigInt(bits(version) - length))];
}

const byAddress = (one: Prefix, other: Prefix): number =>
  one.address < other.address ? -1 : one.address > other.address ? 1 : 0;
