// Traffic as machines would generate it for some days from now on. It depends on the current access, on random uses of this
// access, and on the connected machines. `reports.ts` decides how the log shows it.

import type { Environment } from '../environment.ts';
import { isLoginExpired } from '../peers/peer-view.ts';
import { PROTOCOLS, type Protocol } from '../reach/port-ranges.ts';
import { acceptedBy } from '../reach/traffic-paths.ts';
import type { PeerRecord } from '../records/peers.ts';
import type { Account } from '../store/account.ts';
import { DAY, SECOND } from '../time/times.ts';
import { drawsAbout } from './chance.ts';
import type { ConnectionAttempt } from './connection-attempt.ts';
import { type Destination, type Hop, newDestinations, strangersOf } from './destinations.ts';
import type { Mode, TrafficPlan } from './trafficSettings.ts';
import { newUses, PORTS, type Use } from './uses.ts';

/** One day of one machine. */
export interface Presence {
  readonly peer: PeerRecord;
  /** The first instant of the day. */
  readonly start: number;
  readonly isConnected: boolean;
  readonly mode: Mode;
}

const HOUR = 3600 * SECOND;

export interface Days {
  readonly happenings: readonly ConnectionAttempt[];
  readonly presences: readonly Presence[];
}

/** The generated traffic of an account. */
export function daysOf(account: Account, plan: TrafficPlan, environment: Environment): Days {
  const now = environment.clock().getTime();
  const destinationsOf = newDestinations(account, environment, plan.seed);
  const usesOf = newUses(plan);
  const sources = account.peers.all().map(peer => {
    const destinations = destinationsOf(peer);
    const uses = destinations.flatMap(one => usesOf(peer, one));
    return {
      peer,
      destinations: [...destinations, ...strangersOf(account, peer, destinations)],
      uses,
    };
  });
  const days = Array.from({ length: plan.days }, (_, index) => {
    const start = now + index * DAY;
    const presences = sources.map(({ peer }): Presence => {
      const isExpired = isLoginExpired(account, peer, environment);
      return { peer, start, ...presenceOf(peer, start, plan, isExpired) };
    });
    const connected = new Set(presences.flatMap(one => (one.isConnected ? [one.peer] : [])));
    const day = { start, plan, connected };
    const happenings = sources
      .filter(({ peer }) => connected.has(peer))
      .flatMap(({ peer, destinations, uses }) => [
        ...(about(day, 'quiet', peer.id).isWithin(plan.quiet)
          ? []
          : uses.flatMap(use => startsOf(use, day))),
        ...attemptOf(peer, destinations, day),
      ]);
    return { happenings, presences };
  });
  return {
    happenings: days.flatMap(({ happenings }) => happenings),
    presences: days.flatMap(({ presences }) => presences),
  };
}

interface Day {
  readonly start: number;
  readonly plan: TrafficPlan;
  readonly connected: ReadonlySet<PeerRecord>;
}

const numberOf = (start: number) => Math.floor(start / DAY);

/** The draws about a subject on a day. */
function about({ start, plan }: Pick<Day, 'start' | 'plan'>, ...words: (string | number)[]) {
  return drawsAbout(plan.seed, numberOf(start), ...words);
}

function presenceOf(
  { id, ephemeral }: PeerRecord,
  start: number,
  plan: TrafficPlan,
  isExpired: boolean,
): Pick<Presence, 'isConnected' | 'mode'> {
  // An ephemeral machine never has an absent day, because it would not return.
  const isAway = !ephemeral && about({ start, plan }, 'away', id).isWithin(plan.away);
  const share = drawsAbout(plan.seed, 'mode', id).below(100);
  const drawn = share < plan.off ? 'off' : share < plan.off + plan.kernel ? 'kernel' : 'user space';
  return { isConnected: !isExpired && !isAway, mode: plan.machines[id] ?? drawn };
}

/** The connections of one use on a day; empty on other days of its period. */
function startsOf(use: Use, day: Day): readonly ConnectionAttempt[] {
  const { source, destination, address, protocol, port, period, phase } = use;
  if ((numberOf(day.start) + phase) % period !== 0) return [];
  const draws = about(day, 'starts', source.id, destination.key, protocol, port);
  const hop = draws.one(destination.hops.filter(({ at }) => day.connected.has(at)));
  if (hop === undefined || acceptedBy(hop, protocol, port).length === 0) return [];
  const grants = acceptedBy(hop.united, protocol, port);
  // A wider range drops the traffic that this range accepts. The behaviour of the server in this case was never observed, so no
  // such traffic is generated.
  if (grants.length === 0) return [];
  const sent = { source, dnsLabel: destination.dnsLabel, target: hop.target, hop: hop.at, address };
  return Array.from({ length: 1 + draws.below(day.plan.starts) }, () => ({
    ...sent,
    protocol,
    port,
    policies: [...new Set(grants.flatMap(({ policy }) => policy ?? []))],
    isAdmitted: true,
    at: day.start + draws.below(DAY),
    day: day.start,
    // Some TCP connections last for hours; others end when they are idle.
    lasts: protocol === 'tcp' ? draws.below(draws.isWithin(10) ? 3 * HOUR : HOUR / 10) : HOUR / 20,
    salt: draws.below(2 ** 31),
  }));
}

/** The maximum number of attempts to find traffic that is refused. */
const TRIES = 8;

/** The refused attempt of a machine on a day; usually none. */
function attemptOf(
  source: PeerRecord,
  destinations: readonly Destination[],
  day: Day,
): readonly ConnectionAttempt[] {
  const draws = about(day, 'attempt', source.id);
  if (!draws.isWithin(day.plan.refused)) return [];
  for (let tries = 0; tries < TRIES; tries += 1) {
    const destination = draws.one(destinations);
    const address = draws.one(destination?.addresses ?? []);
    const hop = draws.one((destination?.hops ?? []).filter(({ at }) => day.connected.has(at)));
    const protocol = draws.one(PROTOCOLS) ?? 'tcp';
    const port = protocol === 'icmp' ? 0 : (draws.one([...PORTS, 3389, 8443]) ?? 0);
    if (destination === undefined || hop === undefined || address === undefined) continue;
    if (!isRefused(hop, protocol, port)) continue;
    const { dnsLabel } = destination;
    const at = day.start + draws.below(DAY);
    const sent = { source, dnsLabel, target: hop.target, hop: hop.at, address, protocol, port, at };
    const salt = draws.below(2 ** 31);
    return [{ ...sent, policies: [], isAdmitted: false, day: day.start, lasts: HOUR / 120, salt }];
  }
  return [];
}

/** Whether traffic is refused, both with and without wider ranges. */
function isRefused(hop: Hop, protocol: Protocol, port: number): boolean {
  return [hop, hop.united].every(one => acceptedBy(one, protocol, port).length === 0);
}
