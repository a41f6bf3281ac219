// The days on which a flow was in use. A source reports an attempt without knowing whether it was refused: only the machine that
// refused it knows that.
import { placeText } from '../../access/admitted/places.ts';
import type { Counts, Day, ObservedFlow } from '../observed.ts';

/** Tells when flows were in use. */
export interface UsedDays {
  readonly isUsed: (flow: ObservedFlow) => boolean;
  /** The starts of a flow that count as use on one of its days. */
  readonly startsOn: (flow: ObservedFlow, day: Day, counts: Counts) => number;
}

/** The use of all these flows. */
export function usedDaysAmong(flows: readonly ObservedFlow[]): UsedDays {
  const refusals = refusalsOf(flows);
  // Whoever admits a flow reports its starts itself, whatever else it refused on that day.
  const startsOn = (flow: ObservedFlow, day: Day, { starts }: Counts): number => {
    const refused = refusals.get(flow);
    return refused === undefined ? starts : Math.max(0, starts - (refused.get(day) ?? 0));
  };
  return {
    startsOn,
    isUsed: flow => {
      for (const [day, counts] of flow.days) if (startsOn(flow, day, counts) > 0) return true;
      return false;
    },
  };
}

// By the attempt of a source: how often others refused it on which day.
function refusalsOf(
  flows: readonly ObservedFlow[],
): ReadonlyMap<ObservedFlow, ReadonlyMap<Day, number>> {
  const byText = new Map<string, Map<Day, number>>();
  for (const flow of flows)
    for (const [day, { drops }] of flow.days) {
      if (drops === 0) continue;
      const text = flowText(flow);
      const days = byText.get(text) ?? new Map<Day, number>();
      byText.set(text, days.set(day, (days.get(day) ?? 0) + drops));
    }
  if (byText.size === 0) return new Map();
  const attempts = flows.filter(isOnlyBySource).flatMap(flow => {
    const days = byText.get(flowText(flow));
    return days === undefined ? [] : [[flow, days] as const];
  });
  return new Map(attempts);
}

/** Whether nobody but its source reported a flow. */
export const isOnlyBySource = ({ source, reporters }: ObservedFlow): boolean =>
  source.type === 'machine' && reporters.every(id => id === source.id);

/** A text that is equal for the same flow, whoever reports it. */
const flowText = ({ source, destination, protocol, port }: ObservedFlow): string =>
  `${placeText(source)}|${placeText(destination)}|${protocol}|${port}`;
