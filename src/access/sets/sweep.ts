// Which traffic covers a point, for many points: a list of ports may have a rule for each, and going through all rules for each
// port takes minutes.
import type { Traffic } from './traffic.ts';

/** The items whose traffic covers a point, for points that are asked for in ascending order. */
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
    // An interval may begin where another of the same item has just ended.
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
