// Summarises a set of uses from the point of view of the rule: in reverse use, the destination of the flow is a source of the
// rule.
import { flowEndText } from '../../access/admitted/flowEnds.ts';
import type { Day, Endpoint, ObservedFlow, Time } from '../observed.ts';
import { daysOf, flowCount } from './flowCount.ts';
import type { UsedDays } from './usedDays.ts';

/** The properties of a use that a summary needs. */
export interface SummedUse {
  readonly flow: ObservedFlow;
  readonly isReverse?: boolean;
}

export interface UseSummary {
  readonly flows: number;
  /** Absent if there is no use. */
  readonly first?: Time;
  readonly last?: Time;
  readonly days: ReadonlySet<Day>;
  /** The number of sources of the rule that used it. */
  readonly sources: number;
}

/** Sums up uses. */
export function summaryOf(
  uses: readonly SummedUse[],
  used: Pick<UsedDays, 'isUsedOn'>,
): UseSummary {
  const sources = new Set<string>();
  const flows = new Set<ObservedFlow>();
  const span = { first: Infinity, last: -Infinity };
  for (const { flow, isReverse = false } of uses) {
    const { source, destination, first, last } = flow;
    sources.add(endText(isReverse ? destination : source));
    flows.add(flow);
    span.first = Math.min(span.first, first);
    span.last = Math.max(span.last, last);
  }
  return {
    flows: flowCount(flows, used),
    ...(flows.size > 0 && span),
    days: daysOf(flows, used),
    sources: sources.size,
  };
}

// Most ends are machines, and their ids already are texts.
const endText = (end: Endpoint): string => (end.type === 'machine' ? end.id : flowEndText(end));
