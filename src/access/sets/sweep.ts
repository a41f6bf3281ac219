// Finds the items whose traffic covers a point, for many points. A policy may have one rule for each port, and searching all
// rules for each port would take minutes.
import type { Traffic } from './traffic.ts';

/** Returns the items whose traffic covers a point. Points must be requested in ascending order. */
export function sweepOf<T extends { readonly traffic: Traffic }>(
  items: readonly T[],
): (point: number) => ReadonlySet<T> {
  const edges = items
    .flatMap(item =>
      item.traffic.flatMap(({ from, to }) => [
        { point: from, item, isBegin: true },
        { point: to + 1, item, isBegin: false },
      ]),
    )
    // At the same point, an end is sorted before a beginning, because an interval may begin where
    // another interval of the same item has just ended.
    .sort((one, other) => one.point - other.point || Number(one.isBegin) - Number(other.isBegin));
  const here = new Set<T>();
  let next = 0;
  return point => {
    for (let edge = edges[next]; edge && edge.point <= point; edge = edges[++next])
      if (edge.isBegin) here.add(edge.item);
      else here.delete(edge.item);
    return here;
  };
}
