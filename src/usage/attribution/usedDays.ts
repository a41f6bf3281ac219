// The days on which a flow was in use. A source reports an attempt without knowing whether it was
// refused: only the machine that refuses the attempt knows.
import { flowText } from '../../access/admitted/admission.ts';
import type { Counts, Day, ObservedFlow } from '../observed.ts';

/** Answers when flows were in use. */
export interface UsedDays {
  readonly isUsed: (flow: ObservedFlow) => boolean;
  /** Whether a flow was in use on one of its days, because it started on that day or was still open. */
  readonly isUsedOn: (flow: ObservedFlow, day: Day, counts: Counts) => boolean;
}

/** The days on which these flows were in use. */
export function usedDaysAmong(flows: readonly ObservedFlow[]): UsedDays {
  const refusals = refusalsOf(flows);
  // The machine that admits a flow reports the starts, even if it refused other attempts on that day.
  const isUsedOn = (flow: ObservedFlow, day: Day, { starts, drops }: Counts): boolean =>
    starts > (refusals.get(flow)?.get(day) ?? 0) || (starts === 0 && drops === 0);
  return {
    isUsedOn,
    isUsed: flow => {
      for (const [day, counts] of flow.days) if (isUsedOn(flow, day, counts)) return true;
      return false;
    },
  };
}

// For each attempt of a source, how often others refused it on each day.
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

/** Whether only the source of a flow reported it. */
export const isOnlyBySource = ({ source, reporters }: ObservedFlow): boolean =>
  source.type === 'machine' && reporters.every(id => id === source.id);
