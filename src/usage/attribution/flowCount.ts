// The number of observed flows, the same in every output.
import { flowText, type ReportedFlow } from '../../access/admitted/admission.ts';
import type { Day, ObservedFlow } from '../observed.ts';
import type { UsedDays } from './usedDays.ts';

type Used = Pick<UsedDays, 'isUsedOn'>;

/** A flow regardless of its states, with all machines that reported it and how often it was observed. */
export interface RepeatedFlow extends ReportedFlow {
  readonly times: number;
}

/** Those of the given flows that were in use, each once. */
export function repeatedFlows(flows: Iterable<ObservedFlow>, used: Used): readonly RepeatedFlow[] {
  return [...Map.groupBy(flows, flowText).values()].flatMap(same => {
    const [first] = same;
    const times = timesOf(same, used);
    if (first === undefined || times === 0) return [];
    const { source, destination, protocol, port } = first;
    const reporters = [...new Set(same.flatMap(one => one.reporters))];
    return { source, destination, protocol, port, reporters, times };
  });
}

/** The number of flows: how often they began in total. */
export const flowCount = (flows: Iterable<ObservedFlow>, used: Used): number =>
  Map.groupBy(flows, flowText)
    .values()
    .reduce((sum, same) => sum + timesOf(same, used), 0);

// Both ends may report the same flow: for each day, the end that saw more starts counts. A flow that began before it was observed
// counts as one.
function timesOf(same: readonly ObservedFlow[], used: Used): number {
  const sides = Map.groupBy(same, ({ direction }) => direction);
  const days = new Map<Day, number>();
  for (const side of sides.values())
    for (const [day, starts] of startsByDay(side, used))
      days.set(day, Math.max(days.get(day) ?? 0, starts));
  const starts = days.values().reduce((sum, some) => sum + some, 0);
  return days.size > 0 ? Math.max(starts, 1) : 0;
}

function startsByDay(side: readonly ObservedFlow[], { isUsedOn }: Used): ReadonlyMap<Day, number> {
  const days = new Map<Day, number>();
  for (const flow of side)
    for (const [day, counts] of flow.days)
      if (isUsedOn(flow, day, counts)) days.set(day, (days.get(day) ?? 0) + counts.starts);
  return days;
}

/** The days on which any of these flows was in use. */
export function daysOf(flows: Iterable<ObservedFlow>, { isUsedOn }: Used): ReadonlySet<Day> {
  const days = new Set<Day>();
  for (const flow of flows)
    for (const [day, counts] of flow.days) if (isUsedOn(flow, day, counts)) days.add(day);
  return days;
}
