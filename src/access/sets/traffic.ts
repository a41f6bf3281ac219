// Traffic: protocols and ports on one axis, so that a set of traffic is a list of intervals. TCP ports come first, then UDP
// ports, and ICMP is a single point.

/** An interval of traffic, both ends included. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Sorted intervals that neither overlap nor touch within a protocol. */
export type Traffic = readonly Interval[];

export type TrafficProtocol = 'tcp' | 'udp' | 'icmp';

/** The range of each protocol on the axis. */
export const SPAN: Readonly<Record<TrafficProtocol, Interval>> = {
  tcp: { from: 0, to: 0xffff },
  udp: { from: 0x10000, to: 0x1ffff },
  icmp: { from: 0x20000, to: 0x20000 },
};

export const PROTOCOLS: readonly TrafficProtocol[] = ['tcp', 'udp', 'icmp'];

export const NO_TRAFFIC: Traffic = [];

/** All traffic: every port of TCP and UDP, and ICMP. */
export const ALL_TRAFFIC: Traffic = PROTOCOLS.map(protocol => SPAN[protocol]);

/** The ports of one protocol as traffic. */
export function portsOf(protocol: 'tcp' | 'udp', ports: readonly Interval[]): Traffic {
  const { from: offset } = SPAN[protocol];
  const moved = ports
    .filter(({ from, to }) => from <= to && from <= 0xffff && to >= 0)
    .map(({ from, to }) => ({
      from: offset + Math.max(from, 0),
      to: offset + Math.min(to, 0xffff),
    }));
  return joinedIntervals(moved);
}

/** Intervals in any order as traffic. */
export function joinedIntervals(intervals: readonly Interval[]): Traffic {
  const result: Interval[] = [];
  for (const next of intervals.toSorted((one, other) => one.from - other.from)) {
    const last = result.at(-1);
    if (last && next.from <= last.to + 1 && protocolAt(next.from) === protocolAt(last.to))
      result[result.length - 1] = { from: last.from, to: Math.max(last.to, next.to) };
    else result.push(next);
  }
  return result;
}

/** The protocol of a point on the axis. */
export function protocolAt(point: number): TrafficProtocol {
  if (point <= SPAN.tcp.to) return 'tcp';
  return point <= SPAN.udp.to ? 'udp' : 'icmp';
}

/** The intersection of two sets of traffic. */
function common(one: Traffic, other: Traffic): Traffic {
  return one.flatMap(({ from, to }) =>
    other
      .filter(next => next.from <= to && next.to >= from)
      .map(next => ({ from: Math.max(from, next.from), to: Math.min(to, next.to) })),
  );
}

/** `one` without `other`. */
export function without(one: Traffic, other: Traffic): Traffic {
  return other.reduce<Traffic>(
    (rest, { from, to }) =>
      rest.flatMap(interval => {
        if (to < interval.from || from > interval.to) return [interval];
        const parts = [
          { from: interval.from, to: from - 1 },
          { from: to + 1, to: interval.to },
        ];
        return parts.filter(part => part.from <= part.to);
      }),
    one,
  );
}

/** A string that is the same for equal traffic. */
export function intervalsText(traffic: Traffic): string {
  return traffic.map(({ from, to }) => `${from}-${to}`).join();
}

/** Whether two sets of traffic overlap. */
export function overlap(one: Traffic, other: Traffic): boolean {
  return one.some(({ from, to }) => other.some(next => next.from <= to && next.to >= from));
}

/** The part of `traffic` in one protocol. */
export function ofProtocol(traffic: Traffic, protocol: TrafficProtocol): Traffic {
  return common(traffic, [SPAN[protocol]]);
}

/** The points where intervals of traffic begin or have just ended, sorted. */
export function cutsOf(traffics: Iterable<Traffic>): number[] {
  const cuts = new Set<number>();
  for (const traffic of traffics)
    for (const { from, to } of traffic) {
      cuts.add(from);
      cuts.add(to + 1);
    }
  return [...cuts].sort((one, other) => one - other);
}
