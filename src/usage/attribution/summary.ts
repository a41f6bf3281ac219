// What a set of uses comes to, from the point of view of the rule: of reverse use, the source of the rule is the destination of the flow.
import { isOtherProtocol, trafficOf } from '../../access/admitted/flowTraffic.ts';
import { placeText } from '../../access/admitted/places.ts';
import { joined, type Traffic } from '../../access/sets/traffic.ts';
import type { Day, Endpoint, ObservedFlow, Time } from '../observed.ts';
import type { UsedDays } from './usedDays.ts';

/** One use, as far as a summary needs it. */
export interface SummedUse {
  readonly flow: ObservedFlow;
  readonly isReverse?: boolean;
}

export interface UseSummary {
  /** The number of flows. */
  readonly flows: number;
  readonly starts: number;
  /** Absent if there is no use. */
  readonly first?: Time;
  readonly last?: Time;
  readonly days: ReadonlySet<Day>;
  readonly sources: readonly Endpoint[];
  readonly destinations: readonly Endpoint[];
  /** The traffic of the flows whose port is known. */
  readonly traffic: Traffic;
  /** Whether some flows have no port, or another protocol than TCP, UDP and ICMP. */
  readonly isPartlyUnknown: boolean;
  readonly isReverseUsed: boolean;
}

/** Sums up uses. */
export function summaryOf(
  uses: readonly SummedUse[],
  { isUsedOn }: Pick<UsedDays, 'isUsedOn'>,
): UseSummary {
  const days = new Set<Day>();
  const sources = new Map<string, Endpoint>();
  const destinations = new Map<string, Endpoint>();
  const points = new Map<number, { from: number; to: number }>();
  const flows = new Set<ObservedFlow>();
  const sum = { starts: 0, first: Infinity, last: -Infinity };
  let isPartlyUnknown = false;
  for (const { flow, isReverse = false } of uses) {
    const { source, destination } = flow;
    const [near, far] = isReverse ? [destination, source] : [source, destination];
    sources.set(textOf(near), near);
    destinations.set(textOf(far), far);
    const traffic = trafficOf(flow);
    const isPoint = traffic.from === traffic.to && !isOtherProtocol(flow);
    if (isPoint) points.set(traffic.from, traffic);
    else isPartlyUnknown = true;
    if (flows.has(flow)) continue;
    flows.add(flow);
    for (const [day, counts] of flow.days) {
      if (!isUsedOn(flow, day, counts)) continue;
      days.add(day);
      sum.starts += counts.starts;
    }
    sum.first = Math.min(sum.first, flow.first);
    sum.last = Math.max(sum.last, flow.last);
  }
  return {
    flows: flows.size,
    starts: sum.starts,
    ...(flows.size > 0 && { first: sum.first, last: sum.last }),
    days,
    sources: [...sources.values()],
    destinations: [...destinations.values()],
    traffic: joined([...points.values()]),
    isPartlyUnknown,
    isReverseUsed: uses.some(({ isReverse }) => isReverse),
  };
}

// Ids are texts already: most ends are machines.
const textOf = (end: Endpoint): string => (end.type === 'machine' ? end.id : placeText(end));
