// The destinations of a machine: other machines, and addresses behind routing machines. Paths to
// the same addresses through the same machine are combined. Among routed ranges, the longest prefix
// takes precedence.

import { fqdn } from '../audit/object-meta.ts';
import type { Environment } from '../environment.ts';
import { type Ip, parseIp, WIDTH } from '../normalise/ip.ts';
import { contains, formatPrefix, masked, type Prefix, parsePrefix } from '../normalise/prefix.ts';
import { knownPeers } from '../reach/known.ts';
import type { Target, TrafficPath } from '../reach/traffic-path.ts';
import { newTrafficPaths } from '../reach/traffic-paths.ts';
import type { PeerRecord } from '../records/peers.ts';
import type { Account } from '../store/account.ts';
import { drawsAbout } from './chance.ts';

export interface Destination {
  /** The key of the destination in random choices. */
  readonly key: string;
  /** The name that a client resolved; empty for a range. */
  readonly dnsLabel: string;
  readonly addresses: readonly Ip[];
  /** A hop for every machine that admits traffic to the destination. */
  readonly hops: readonly Hop[];
}

export interface Hop extends TrafficPath {
  /**
   * The grants and drops including those of wider ranges at the same machine. It was never observed whether an agent applies
   * these or only those of the narrower range.
   */
  readonly united: Pick<TrafficPath, 'grants' | 'drops'>;
}

/** The maximum number of addresses of a range that are used. */
const ADDRESSES = 3;

/** The key, the name and the range of addresses by which a target is reached. */
interface Place {
  readonly key: string;
  readonly dnsLabel: string;
  readonly prefix: Prefix;
}

/** Returns a function for the destinations of a machine. */
export function newDestinations(
  account: Account,
  environment: Environment,
  seed: number,
): (source: PeerRecord) => readonly Destination[] {
  const waysOf = newTrafficPaths(account, environment);
  return source => {
    const placed = waysOf(source)
      .filter(({ at }) => at !== source)
      .flatMap(way => placesOf(account, way.target).map(place => ({ way, place })));
    const byKey = Map.groupBy(placed, ({ place }) => place.key);
    const routed = [...byKey.values()].flatMap(([first]) =>
      first === undefined || first.way.target.type === 'machine' ? [] : first.place.prefix,
    );
    return [...byKey.values()].flatMap(some => {
      const [first] = some;
      if (first === undefined) return [];
      const { key, dnsLabel, prefix } = first.place;
      const longer = routed.filter(
        ({ length, ip }) => length > prefix.length && contains(prefix, ip),
      );
      const addresses = addressesIn(prefix, key, seed).filter(
        ip => !longer.some(other => contains(other, ip)),
      );
      // Rules for traffic to a machine itself are not combined with rules for traffic that the machine routes.
      const around =
        first.way.target.type === 'machine'
          ? []
          : placed.filter(one => isAround(one.place, prefix));
      const hops = hopsOf(
        some.map(({ way }) => way),
        around.map(({ way }) => way),
      );
      return addresses.length === 0 ? [] : [{ key, dnsLabel, addresses, hops }];
    });
  };
}

/** The machines that a machine knows but that admit none of its traffic. The machine can still try to connect to them. */
export function strangersOf(
  account: Account,
  source: PeerRecord,
  known: readonly Destination[],
): readonly Destination[] {
  const keys = new Set(known.map(({ key }) => key));
  return [...knownPeers(account, source)]
    .filter(({ id, approval_required }) => !keys.has(id) && !approval_required)
    .flatMap(peer => {
      const nothing = { grants: [], drops: [] };
      const hop = {
        target: { type: 'machine', peer },
        at: peer,
        ...nothing,
        united: nothing,
      } as const;
      return placesOf(account, hop.target).map(({ key, dnsLabel, prefix }) => ({
        key,
        dnsLabel,
        addresses: [prefix.ip],
        hops: [hop],
      }));
    });
}

function isAround({ prefix }: Place, { ip, length }: Prefix): boolean {
  return prefix.length < length && contains(prefix, ip);
}

function hopsOf(ways: readonly TrafficPath[], around: readonly TrafficPath[]): readonly Hop[] {
  return [...Map.groupBy(ways, ({ at }) => at)].flatMap(([at, some]) => {
    const [first] = some;
    if (first === undefined) return [];
    const own = all(some);
    return [{ ...first, ...own, united: all([...some, ...around.filter(way => way.at === at)]) }];
  });
}

function all(ways: readonly TrafficPath[]): Pick<TrafficPath, 'grants' | 'drops'> {
  return { grants: ways.flatMap(({ grants }) => grants), drops: ways.flatMap(way => way.drops) };
}

function placesOf(account: Account, target: Target): readonly Place[] {
  if (target.type === 'machine') {
    const { id, ip } = target.peer;
    return rangePlace(ip, id).map(place => ({ ...place, dnsLabel: fqdn(account, target.peer) }));
  }
  if (target.type === 'route') {
    const { network, domains } = target.route;
    return domains.length > 0 ? domains.map(domainPlace) : rangePlace(network);
  }
  const { type, address } = target.resource;
  return type === 'domain' ? [domainPlace(address)] : rangePlace(address);
}

/** The place of a range or an address; empty if the text is neither. */
function rangePlace(text: string, key?: string): readonly Place[] {
  const ip = parseIp(text);
  const prefix = ip === undefined ? parsePrefix(text) : { ip, length: WIDTH[ip.version] };
  if (prefix === undefined) return [];
  const range = masked(prefix);
  return [{ key: key ?? formatPrefix(range), dnsLabel: '', prefix: range }];
}

/** The place of a domain, which has one address, in the range reserved for tests. */
function domainPlace(domain: string): Place {
  const name = domain.toLowerCase();
  const dnsLabel = name.replace(/^\*/, 'www');
  const value = 0xc612_0000n + BigInt(drawsAbout(0, name).below(2 ** 17));
  return { key: name, dnsLabel, prefix: { ip: { version: 4, value }, length: 32 } };
}

function addressesIn({ ip, length }: Prefix, key: string, seed: number): readonly Ip[] {
  const bits = WIDTH[ip.version] - length;
  const draws = drawsAbout(seed, 'addresses', key);
  if (bits === 0) return [ip];
  // For a range of all addresses, only addresses on the internet are used.
  const lowest = length === 0 && ip.version === 4 ? 0x0b00_0000 : 1;
  const count = length === 0 && ip.version === 4 ? 0x7000_0000 : 2 ** Math.min(bits, 30) - 1;
  const values = Array.from({ length: ADDRESSES }, () => lowest + draws.below(count));
  return [...new Set(values)].map(value => ({ ...ip, value: ip.value + BigInt(value) }));
}
