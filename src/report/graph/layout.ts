// The layout of a graph: a column for each layer, in an order with few crossing lines.
import { largest } from '../../model/text/many.ts';
import { visible } from '../../model/text/visible.ts';
import { fitted, textWidth } from '../text/width.ts';
import type { AccessGraph, GraphEdge, GraphNode } from './accessGraph.ts';

export interface Box {
  readonly node: GraphNode;
  /** The lines of text in a box; long lines are cut. */
  readonly lines: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Layout {
  readonly boxes: ReadonlyMap<string, Box>;
  readonly edges: readonly GraphEdge[];
  readonly width: number;
  readonly height: number;
}

/** The width of a box in characters; the full text is in its title. */
const ROOM = 44;
const CHARACTER = 7.3;
/** The height of a line, and the padding of a box. */
export const LINE = 17;
export const PADDING = 9;
const GAP = { across: 64, down: 12 };
const MARGIN = 12;

/** Assigns a position to each node. Empty layers take no space. */
export function layoutOf({ nodes, edges }: AccessGraph): Layout {
  const columns = ordered([...Map.groupBy(nodes, ({ layer }) => layer).values()], edges);
  const heights = columns.map(heightOf);
  const tallest = largest(0, heights);
  const boxes = new Map<string, Box>();
  let x = MARGIN;
  for (const [at, column] of columns.entries()) {
    const widths = column.flatMap(({ lines }) => lines.map(line => textWidth(shownLine(line))));
    const width = Math.round(largest(4, widths) * CHARACTER + 2 * PADDING);
    let y = MARGIN + Math.round((tallest - (heights[at] ?? 0)) / 2);
    for (const node of column) {
      const height = boxHeight(node);
      boxes.set(node.id, { node, lines: node.lines.map(shownLine), x, y, width, height });
      y += height + GAP.down;
    }
    x += width + GAP.across;
  }
  const width = Math.max(x - GAP.across, MARGIN) + MARGIN;
  return { boxes, edges, width, height: tallest + 2 * MARGIN };
}

const shownLine = (line: string): string => fitted(visible(line), ROOM);

const boxHeight = ({ lines }: GraphNode): number => lines.length * LINE + 2 * PADDING - 4;

function heightOf(column: readonly GraphNode[]): number {
  const heights = column.reduce((sum, node) => sum + boxHeight(node), 0);
  return heights + GAP.down * Math.max(column.length - 1, 0);
}

/** The number of passes over the columns; after a few passes the order hardly changes. */
const ROUNDS = 6;

// Moves each node to the middle of its neighbours in the columns before, then in those after.
function ordered(
  columns: readonly (readonly GraphNode[])[],
  edges: readonly GraphEdge[],
): readonly (readonly GraphNode[])[] {
  const neighbours = new Map<string, string[]>();
  for (const { from, to } of edges) {
    neighbours.set(from, [...(neighbours.get(from) ?? []), to]);
    neighbours.set(to, [...(neighbours.get(to) ?? []), from]);
  }
  const result = columns.map(column => [...column]);
  for (let round = 0; round < ROUNDS; round++) {
    const step = round % 2 === 0 ? 1 : -1;
    const order = step === 1 ? [...result.keys()] : [...result.keys()].reverse();
    for (const at of order) {
      const column = result[at] ?? [];
      const before = placesIn(step === 1 ? result.slice(0, at) : result.slice(at + 1));
      const middle = new Map(
        column.map((node, place) => {
          const found = (neighbours.get(node.id) ?? []).flatMap(id => before.get(id) ?? []);
          const sum = found.reduce((total, one) => total + one, 0);
          return [node.id, found.length === 0 ? heightIn(column, place) : sum / found.length];
        }),
      );
      column.sort((one, other) => (middle.get(one.id) ?? 0) - (middle.get(other.id) ?? 0));
    }
  }
  return result;
}

function placesIn(columns: readonly (readonly GraphNode[])[]): ReadonlyMap<string, number> {
  return new Map(
    columns.flatMap(column => column.map((node, at) => [node.id, heightIn(column, at)])),
  );
}

// From 0 for the first node of a column to 1 for the last.
const heightIn = ({ length }: readonly GraphNode[], at: number): number =>
  length < 2 ? 0.5 : at / (length - 1);
