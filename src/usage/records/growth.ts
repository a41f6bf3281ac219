// A record that grows: the part that has been counted, and the new part.
import type { FlowSign, TrafficRecord } from './trafficRecord.ts';

/** The counted part of a record. */
export interface Counted {
  readonly starts: number;
  readonly drops: number;
  readonly others: number;
}

/** The counts of a new record. */
export const NOTHING: Counted = { starts: 0, drops: 0, others: 0 };

/**
 * The counts of a record. They never decrease, because a server may show an older form of the
 * record again.
 */
export function countedAfter({ happenings }: TrafficRecord, before: Counted): Counted {
  const total = (wanted: FlowSign['is']): number =>
    happenings.reduce((sum, { is, count }) => (is === wanted ? sum + count : sum), 0);
  return {
    starts: Math.max(before.starts, total('start')),
    drops: Math.max(before.drops, total('drop')),
    others: Math.max(before.others, total('other')),
  };
}

/** The happenings of a record that are not counted yet, in order of time. */
export function newIn({ happenings }: TrafficRecord, before: Counted): readonly FlowSign[] {
  const left = { start: before.starts, drop: before.drops, other: before.others };
  return happenings.flatMap(happening => {
    const known = Math.min(left[happening.is], happening.count);
    left[happening.is] -= known;
    const count = happening.count - known;
    return count === 0 ? [] : { ...happening, count };
  });
}
