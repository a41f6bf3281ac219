// The days on which a flow was in use. A source reports an attempt without knowing whether it was refused: only the machine that
// refused it knows that.
import { placeText } from '../../access/admitted/places.ts';
import type { Day, ObservedFlow } from '../observed.ts';

/** Tells the days on which a flow was in use, with its starts. */
export type UsedDays = (flow: ObservedFlow) => ReadonlyMap<Day, number>;

/** The days of use of all these flows. */
export function usedDaysAmong(flows: readonly ObservedFlow[]): UsedDays {
  const isRefused = (flow: ObservedFlow) => flow.days.values().some(({ drops }) => drops > 0);
  const refused = new Map<string, ObservedFlow[]>();
  for (const flow of flows)
    if (isRefused(flow)) {
      const text = flowText(flow);
      const others = refused.get(text);
      if (others) others.push(flow);
      else refused.set(text, [flow]);
    }
  return flow =>
    daysOf(flow, isOnlyBySource(flow) ? (refused.get(flowText(flow)) ?? []) : undefined);
}

// Whoever admits a flow reports its starts itself, whatever else it refused on that day.
function daysOf(
  flow: ObservedFlow,
  refused: readonly ObservedFlow[] = [],
): ReadonlyMap<Day, number> {
  const used = new Map<Day, number>();
  for (const [day, counts] of flow.days) {
    const starts = counts.starts - dropsOn(day, refused);
    if (starts > 0) used.set(day, starts);
  }
  return used;
}

const dropsOn = (day: Day, flows: readonly ObservedFlow[]): number =>
  flows.reduce((sum, { days }) => sum + (days.get(day)?.drops ?? 0), 0);

/** Whether nobody but its source reported a flow. */
export const isOnlyBySource = ({ source, reporters }: ObservedFlow): boolean =>
  source.type === 'machine' && reporters.every(id => id === source.id);

/** A text that is equal for the same flow in either direction of reporting. */
const flowText = ({ source, destination, protocol, port }: ObservedFlow): string =>
  `${placeText(source)}|${placeText(destination)}|${protocol}|${port}`;
