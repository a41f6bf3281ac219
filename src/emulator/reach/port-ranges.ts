// The traffic that a rule accepts or drops, as ranges of ports, and whether any of it remains after drops.
import { isAtLeast, isVersion, releaseOf } from '../normalise/version.ts';
import type { PeerRecord } from '../records/peers.ts';
import type { RuleRecord } from '../records/topology.ts';

export interface Range {
  readonly start: number;
  readonly end: number;
}

export const PROTOCOLS = ['tcp', 'udp', 'icmp'] as const;

export type Protocol = (typeof PROTOCOLS)[number];

/** Ranges by protocol. ICMP has no ports, so it counts as one range. */
export type Traffic = Readonly<Record<Protocol, readonly Range[]>>;

const EVERY_PORT: readonly Range[] = [{ start: 0, end: 65_535 }];

/** All traffic of all protocols. */
export const EVERYTHING: Traffic = { tcp: EVERY_PORT, udp: EVERY_PORT, icmp: EVERY_PORT };

/** Agents older than this accept single ports only. */
const FIRST_WITH_RANGES = '0.48.0';

/** Whether a peer accepts ranges of ports. Agents with an unknown version accept them. */
export function takesRanges({ machine: { version } }: PeerRecord): boolean {
  return !isVersion(version) || isAtLeast(releaseOf(version), FIRST_WITH_RANGES);
}

/** The traffic of a rule at a peer, depending on whether the peer accepts ranges. */
export function trafficOf(rule: RuleRecord, withRanges: boolean): Traffic {
  const is = (...protocols: readonly string[]) => protocols.includes(rule.protocol);
  const ports = is('all') ? EVERY_PORT : portsOf(rule, withRanges);
  return {
    tcp: is('all', 'tcp', 'netbird-ssh') ? ports : [],
    udp: is('all', 'udp') ? ports : [],
    icmp: is('all', 'icmp') ? EVERY_PORT : [],
  };
}

/**
 * The ports of a rule: single ports if there are any, otherwise its ranges. A rule without ports and ranges covers every port.
 */
function portsOf({ ports, port_ranges }: RuleRecord, withRanges: boolean): readonly Range[] {
  if (ports.length > 0) return ports.map(port => ({ start: Number(port), end: Number(port) }));
  if (port_ranges.length === 0) return EVERY_PORT;
  return port_ranges.filter(({ start, end }) => start === end || (withRanges && start < end));
}

/** Whether traffic includes a port of a protocol; for ICMP the port is ignored. */
export function hasPort(traffic: Traffic, protocol: Protocol, port: number): boolean {
  const at = protocol === 'icmp' ? 0 : port;
  return traffic[protocol].some(({ start, end }) => start <= at && at <= end);
}

/** Whether anything of `accepted` remains without `dropped`. */
export function isAnyLeft(accepted: Traffic, dropped: readonly Traffic[]): boolean {
  return PROTOCOLS.some(protocol => {
    const away = dropped.flatMap(one => one[protocol]).toSorted((a, b) => a.start - b.start);
    return accepted[protocol].some(range => isLeft(range, away));
  });
}

/** Whether a range has a port that is in none of the ranges in `away`, which are sorted by their starts. */
function isLeft({ start, end }: Range, away: readonly Range[]): boolean {
  let next = start;
  for (const range of away) if (range.start <= next) next = Math.max(next, range.end + 1);
  return next <= end;
}
