// The part of their access that machines use, and how often they use it. Some whole policies, ports, sources and destinations are
// out of use, as in networks that have grown.

import type { Ip } from '../normalise/ip.ts';
import { PROTOCOLS, type Protocol, type Range, type Traffic } from '../reach/port-ranges.ts';
import type { PeerRecord } from '../records/peers.ts';
import { drawsAbout } from './chance.ts';
import type { Destination } from './destinations.ts';
import type { TrafficPlan } from './trafficSettings.ts';

/** Traffic of one kind that a machine sends to one address. */
export interface Use {
  readonly source: PeerRecord;
  readonly destination: Destination;
  readonly address: Ip;
  readonly protocol: Protocol;
  readonly port: number;
  /** The use happens on each day for which the number of the day plus `phase` is a multiple of `period`. */
  readonly period: number;
  readonly phase: number;
}

/** The ports that are used if every port is open, or a wide range. */
export const PORTS = [22, 53, 80, 443, 5432, 8080];

/** Possible periods in days: most uses are daily, and some happen every few weeks. */
const PERIODS = [1, 1, 1, 1, 1, 2, 3, 5, 8, 20];

/** Returns the uses that a machine makes of its access to a destination. */
type Uses = (source: PeerRecord, destination: Destination) => readonly Use[];

/** Returns a function for the uses of machines, according to a plan. */
export function newUses(plan: TrafficPlan): Uses {
  const { seed, usage } = plan;
  const isAlive = newAlive(plan);
  const candidates = newCandidates();
  return (source, destination) => {
    const found = new Map<string, Use>();
    for (const grant of destination.hops.flatMap(({ grants }) => grants)) {
      const key = `${grant.policy?.id ?? destination.key}${grant.isBackward ? ' backward' : ''}`;
      const sides = ['', `source ${source.id}`, `destination ${destination.key}`];
      if (!sides.every(words => isAlive(`${key} ${words}`))) continue;
      for (const { protocol, port } of candidates(grant.traffic)) {
        const name = `${protocol} ${port}`;
        if (found.has(name) || !isAlive(`${key} port ${name}`)) continue;
        const draws = drawsAbout(seed, 'use', source.id, destination.key, name);
        const address = draws.isWithin(usage) ? draws.one(destination.addresses) : undefined;
        if (address === undefined) continue;
        const period = draws.one(PERIODS) ?? 1;
        const phase = draws.below(period);
        found.set(name, { source, destination, address, protocol, port, period, phase });
      }
    }
    return [...found.values()];
  };
}

/**
 * Returns a function that decides whether a policy, or one of its ports, sources or destinations, is in use at all. Each is drawn
 * once.
 */
function newAlive({ seed, alive }: TrafficPlan): (what: string) => boolean {
  const known = new Map<string, boolean>();
  return what => {
    const before = known.get(what) ?? drawsAbout(seed, what).isWithin(alive);
    known.set(what, before);
    return before;
  };
}

/** Returns a function for the ports of traffic that might be used, with their protocols. */
function newCandidates(): (traffic: Traffic) => readonly Candidate[] {
  const known = new Map<Traffic, readonly Candidate[]>();
  return traffic => {
    const found = known.get(traffic) ?? candidatesIn(traffic);
    known.set(traffic, found);
    return found;
  };
}

interface Candidate {
  readonly protocol: Protocol;
  readonly port: number;
}

function candidatesIn(traffic: Traffic): readonly Candidate[] {
  return PROTOCOLS.flatMap(protocol =>
    traffic[protocol].flatMap(range =>
      (protocol === 'icmp' ? [0] : portsIn(range)).map(port => ({ protocol, port })),
    ),
  );
}

function portsIn({ start, end }: Range): readonly number[] {
  const usual = PORTS.filter(port => start <= port && port <= end);
  if (end - start >= 10_000) return usual;
  return [...new Set([start, end, Math.floor((start + end) / 2), ...usual])];
}
