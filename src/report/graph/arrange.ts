// Arranges any graph whose edges run from left to right: in columns, with few crossing lines, and with no line through a box. The
// library sorts the nodes into columns and leaves a gap for each line that passes a column.
import { layoutLibrary } from '../../layoutLibrary.ts';
import { present } from '../../model/errors.ts';
import { largest } from '../../model/text/longLists.ts';
import { inColumns } from './columns.ts';
import { compacted, type Heights } from './compacted.ts';
import {
  type Gaps,
  type Line,
  type Link,
  type Passage,
  type Place,
  routed,
  type Sized,
} from './routedLines.ts';

/** A rectangle around all nodes of a frame. */
export interface Frame extends Place {
  readonly name: string;
}

export interface Arrangement {
  readonly places: ReadonlyMap<string, Place>;
  readonly lines: readonly Line[];
  readonly frames: readonly Frame[];
  readonly width: number;
  readonly height: number;
}

const MARGIN = 16;
/** The margin of a frame around its nodes; the title is above them. */
const FRAME = { side: 8, title: 18 };

/**
 * With this number of lines, the library takes half a second, and its time grows with the square of the number. Larger graphs are
 * arranged by a simpler method.
 */
const MANY = 600;

/** Assigns a position to each node, and a route to each link. */
export function arranged(nodes: readonly Sized[], links: readonly Link[], gaps: Gaps): Arrangement {
  if (nodes.length === 0)
    return { places: new Map(), lines: [], frames: [], width: 2 * MARGIN, height: 2 * MARGIN };
  const isLarge = links.length > MANY;
  const { centres, passages } = isLarge
    ? inColumns(nodes, links)
    : placedByLibrary(nodes, links, gaps);
  const { places, lines } = routed(centres, passages);
  // The simpler columns do not keep the nodes of a frame together.
  const frames = isLarge ? [] : framesOf(nodes, places);
  return movedInto(places, lines, frames);
}

function placedByLibrary(nodes: readonly Sized[], links: readonly Link[], gaps: Gaps) {
  const { Graph, layout } = layoutLibrary();
  const isFramed = nodes.some(({ frame }) => frame !== undefined);
  const graph = new Graph({ compound: isFramed });
  graph.setGraph({
    rankdir: 'LR',
    nodesep: isFramed ? gaps.framed : gaps.nodes,
    edgesep: gaps.lines,
    ranksep: 100,
  });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height, frame } of nodes) {
    graph.setNode(id, { width, height });
    if (frame === undefined) continue;
    graph.setNode(`frame ${frame}`, { width: 0, height: 0 });
    graph.setParent(id, `frame ${frame}`);
  }
  for (const { from, to } of links) graph.setEdge(from, to);
  layout(graph);
  const middles = new Map(nodes.map(({ id }) => [id, graph.node(id)]));
  const columns = [...new Set([...middles.values()].map(({ x }) => x))].sort((a, b) => a - b);
  const columnOf = new Map(columns.map((x, at) => [x, at]));
  const centres = nodes.map(node => {
    const { x, y } = present(middles.get(node.id), node.id);
    return { ...node, column: columnOf.get(x) ?? 0, y };
  });
  const passages = links.map(({ from, to }): Passage => {
    const found = graph.edge(from, to).points.slice(1, -1);
    const ends = [middles.get(from)?.x ?? 0, middles.get(to)?.x ?? 0] as const;
    const between = columns.filter(x => x > ends[0] && x < ends[1]);
    return { from, to, ys: between.map(x => heightAt(found, x)) };
  });
  // Frames of the library must not overlap, and compacting does not take frames into account.
  return inOrder(isFramed ? { centres, passages } : compacted({ centres, passages }, gaps));
}

// The library may put the last nodes at the top. Turned over, the drawing is in the order of its nodes.
function inOrder(heights: Heights): Heights {
  const { centres, passages } = heights;
  const mean = centres.reduce((sum, { y }) => sum + y, 0) / centres.length;
  const middle = (centres.length - 1) / 2;
  const falling = centres.reduce((sum, { y }, at) => sum + (at - middle) * (y - mean), 0);
  if (falling >= 0) return heights;
  return {
    centres: centres.map(centre => ({ ...centre, y: -centre.y })),
    passages: passages.map(passage => ({ ...passage, ys: passage.ys.map(y => -y) })),
  };
}

// The height at which a line passes a column: the library puts a point of the line in the middle of each column.
function heightAt(points: readonly { readonly x: number; readonly y: number }[], x: number) {
  const nearest = points.reduce((best, point) =>
    Math.abs(point.x - x) < Math.abs(best.x - x) ? point : best,
  );
  return nearest.y;
}

function framesOf(nodes: readonly Sized[], places: ReadonlyMap<string, Place>): readonly Frame[] {
  const framed = nodes.filter(({ frame }) => frame !== undefined);
  return [...Map.groupBy(framed, ({ frame }) => frame ?? '')].map(([name, inside]) => {
    const boxes = inside.map(({ id }) => present(places.get(id), id));
    const x =
      -largest(
        -Infinity,
        boxes.map(box => -box.x),
      ) - FRAME.side;
    const y =
      -largest(
        -Infinity,
        boxes.map(box => -box.y),
      ) - FRAME.title;
    const right =
      largest(
        -Infinity,
        boxes.map(box => box.x + box.width),
      ) + FRAME.side;
    const bottom =
      largest(
        -Infinity,
        boxes.map(box => box.y + box.height),
      ) + FRAME.side;
    return { name, x, y, width: right - x, height: bottom - y };
  });
}

// Moves the drawing so that it begins at its margin, in whole pixels.
function movedInto(
  places: ReadonlyMap<string, Place>,
  lines: readonly Line[],
  frames: readonly Frame[],
): Arrangement {
  const all = [...places.values(), ...frames];
  const ys = lines.flatMap(({ points }) => points.map(point => point[1]));
  const left =
    -largest(
      -Infinity,
      all.map(({ x }) => -x),
    ) - MARGIN;
  const top = -largest(-Infinity, [...all.map(({ y }) => -y), ...ys.map(y => -y)]) - MARGIN;
  const right =
    largest(
      -Infinity,
      all.map(({ x, width }) => x + width),
    ) + MARGIN;
  const bottom = largest(-Infinity, [...all.map(({ y, height }) => y + height), ...ys]) + MARGIN;
  const moved = <T extends Place>(place: T): T => ({
    ...place,
    x: Math.round(place.x - left),
    y: Math.round(place.y - top),
  });
  return {
    places: new Map([...places].map(([id, place]) => [id, moved(place)])),
    lines: lines.map(line => ({
      ...line,
      points: line.points.map(([x, y]) => [Math.round(x - left), Math.round(y - top)] as const),
    })),
    frames: frames.map(moved),
    width: Math.round(right - left),
    height: Math.round(bottom - top),
  };
}
