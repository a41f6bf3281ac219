// What is wrong with the geometry of a drawing, in sentences, and how many lines cross.
import type { Arrangement } from '../../../src/report/graph/arrange.ts';
import type { Place } from '../../../src/report/graph/routedLines.ts';

type Segment = readonly [readonly [number, number], readonly [number, number]];

/** Boxes over boxes, and lines through boxes. */
export function faultsOf({ places, lines }: Pick<Arrangement, 'places' | 'lines'>): string[] {
  const boxes = [...places];
  const faults: string[] = [];
  for (const [at, [id, box]] of boxes.entries())
    for (const [other, next] of boxes.slice(at + 1))
      if (overlaps(box, next)) faults.push(`${id} lies over ${other}`);
  for (const { from, to, points } of lines)
    for (const [id, box] of boxes)
      for (const [one, other] of segmentsOf(points)) {
        const way = {
          x: Math.min(one[0], other[0]),
          y: Math.min(one[1], other[1]),
          width: Math.abs(one[0] - other[0]),
          height: Math.abs(one[1] - other[1]),
        };
        if (overlaps(box, way)) faults.push(`the line from ${from} to ${to} runs through ${id}`);
      }
  return faults;
}

const overlaps = (one: Place, other: Place): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

const segmentsOf = (points: readonly (readonly [number, number])[]): readonly Segment[] =>
  points.slice(1).map((point, at): Segment => [points[at] ?? point, point]);

/** The points at which a line crosses another. Lines that share a trunk cross there once. */
export function crossingsOf({ lines }: Pick<Arrangement, 'lines'>): number {
  const segments = lines.flatMap(({ points }) => segmentsOf(points));
  const level = segments.filter(([one, other]) => one[1] === other[1]);
  const upright = segments.filter(([one, other]) => one[0] === other[0]);
  const found = new Set<string>();
  for (const [start, end] of upright)
    for (const [left, right] of level) {
      const isAcross = left[0] < start[0] && start[0] < right[0];
      const y = left[1];
      if (isAcross && Math.min(start[1], end[1]) < y && y < Math.max(start[1], end[1]))
        found.add(`${start[0]} ${y}`);
    }
  return found.size;
}

/** Lines that lie on each other although they share neither their beginning nor their end. */
export function mistakableLines({ lines }: Pick<Arrangement, 'lines'>): string[] {
  return lines.flatMap((one, at) =>
    lines.slice(at + 1).flatMap(other => {
      if (one.from === other.from || one.to === other.to) return [];
      const isShared = segmentsOf(one.points).some(part =>
        segmentsOf(other.points).some(next => runAlong(part, next)),
      );
      return isShared ? [`${one.from} to ${one.to} along ${other.from} to ${other.to}`] : [];
    }),
  );
}

function runAlong([a, b]: Segment, [c, d]: Segment): boolean {
  const inCommon = (axis: 0 | 1) =>
    Math.min(Math.max(a[axis], b[axis]), Math.max(c[axis], d[axis])) -
    Math.max(Math.min(a[axis], b[axis]), Math.min(c[axis], d[axis]));
  if (a[1] === b[1] && c[1] === d[1] && a[1] === c[1]) return inCommon(0) > 1;
  return a[0] === b[0] && c[0] === d[0] && a[0] === c[0] && inCommon(1) > 1;
}
