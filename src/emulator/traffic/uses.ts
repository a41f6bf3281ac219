// Which of the access that they have machines use, and how often. Whole policies, ports, sources and destinations are out of use,
// as they are in networks that have grown.

import type { Ip } from '../normalise/ip.ts';
import { PROTOCOLS, type Protocol, type Range, type Traffic } from '../reach/ports.ts';
import type { Grant } from '../reach/way.ts';
import type { PeerRecord } from '../records/peers.ts';
import { drawsAbout } from './chance.ts';
import type { Destination } from './destinations.ts';
import type { TrafficPlan } from './plan.ts';

/** Traffic of one kind that a machine sends to one address. */
export interface Use {
  readonly source: PeerRecord;
  readonly destination: Destination;
  readonly address: Ip;
  readonly protocol: Protocol;
  readonly port: number;
  /** It happens on each day whose number, with the phase, is a multiple of the period. */
  readonly period: number;
  readonly phase: number;
}

/** The ports that are used where every port is open, or a wide range. */
export const PORTS = [22, 53, 80, 443, 5432, 8080];

/** In days: most use is daily, some comes every few weeks. */
const PERIODS = [1, 1, 1, 1, 1, 2, 3, 5, 8, 20];

/** What a machine uses of its access to a destination. */
export function usesOf(
  source: PeerRecord,
  destination: Destination,
  plan: TrafficPlan,
): readonly Use[] {
  const { seed, usage } = plan;
  const found = new Map<string, Use>();
  for (const hop of destination.hops)
    for (const grant of hop.grants)
      for (const { protocol, port } of candidates(grant.traffic)) {
        const words = [source.id, destination.key, protocol, port];
        const name = words.join(' ');
        if (found.has(name) || !isAlive(grant, words, plan)) continue;
        const draws = drawsAbout(seed, 'use', ...words);
        if (!draws.isWithin(usage)) continue;
        const address = draws.one(destination.addresses);
        if (address === undefined) continue;
        const period = draws.one(PERIODS) ?? 1;
        const phase = draws.below(period);
        found.set(name, { source, destination, address, protocol, port, period, phase });
      }
  return [...found.values()];
}

/** Whether a policy, and in it the port, the source and the destination, are in use at all. */
function isAlive(
  { policy, isBackward }: Grant,
  [source = '', destination = '', protocol = '', port = '']: readonly (string | number)[],
  { seed, alive }: TrafficPlan,
): boolean {
  const key = `${policy?.id ?? destination}${isBackward ? ' backward' : ''}`;
  return [
    ['policy'],
    ['port', protocol, port],
    ['source', source],
    ['destination', destination],
  ].every(words => drawsAbout(seed, key, ...words).isWithin(alive));
}

/** The ports of some traffic that anybody might use, by protocol. */
function candidates(traffic: Traffic) {
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
