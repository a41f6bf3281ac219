// The layout of a graph of access: the size and the text of each box, and where it stands.
import { present } from '../../model/errors.ts';
import { largest } from '../../model/text/many.ts';
import { visible } from '../../model/text/visible.ts';
import { counted } from '../text/summary.ts';
import { broken, fitted, textWidth } from '../text/width.ts';
import type { AccessGraph, GraphEdge, GraphNode, Layer } from './accessGraph.ts';
import { arranged, type Frame } from './arrange.ts';
import type { Line, Place } from './routes.ts';

export interface Box extends Place {
  readonly node: GraphNode;
  readonly lines: readonly TextLine[];
}

interface TextLine {
  readonly text: string;
  readonly isNote: boolean;
}

export interface Layout {
  readonly boxes: ReadonlyMap<string, Box>;
  readonly lines: readonly (Line & GraphEdge)[];
  readonly frames: readonly Frame[];
  readonly width: number;
  readonly height: number;
}

/** The width of a box in characters: on one line, a resource has its address, and a router its machines. */
const ROOM: Readonly<Record<Layer, number>> = {
  source: 38,
  rule: 38,
  destination: 38,
  resource: 58,
  place: 38,
  router: 58,
};
/** The most lines of one name; the full text is in its title. */
const LINES_OF_NAME = 3;
const CHARACTER = 7.3;
/** The height of a line, and the padding of a box. */
export const LINE = 16;
export const PADDING = 8;
/** How many of the names of one box are shown. */
const SHOWN = 3;

/** Assigns a position to each node. */
export function layoutOf({ nodes, edges }: AccessGraph, isFramed = false): Layout {
  const texts = new Map(nodes.map(node => [node.id, linesOf(node)]));
  const sized = nodes.map(({ id, network }) => {
    const lines = texts.get(id) ?? [];
    const width = largest(
      4,
      lines.map(({ text }) => textWidth(text)),
    );
    return {
      id,
      width: Math.ceil(width * CHARACTER + 2 * PADDING),
      height: lines.length * LINE + 2 * PADDING - 4,
      frame: isFramed ? network : undefined,
    };
  });
  const { places, lines, frames, width, height } = arranged(sized, edges);
  return {
    boxes: new Map(
      nodes.map(node => [
        node.id,
        { node, lines: texts.get(node.id) ?? [], ...present(places.get(node.id), node.id) },
      ]),
    ),
    lines: lines.map((line, at) => ({ ...line, ...present(edges[at], 'the edge of a line') })),
    frames: frames.map(frame => ({ ...frame, name: fitted(visible(frame.name), ROOM.place) })),
    width,
    height,
  };
}

/** What a box says: its names, as many as have room, and what holds for all of them. */
export function shownNames({ names }: GraphNode): readonly string[] {
  if (names.length <= SHOWN) return names;
  return [...names.slice(0, SHOWN - 1), `and ${counted(names.length - SHOWN + 1, 'more', 'more')}`];
}

function linesOf(node: GraphNode): readonly TextLine[] {
  const room = ROOM[node.layer];
  const names = shownNames(node).flatMap(name => wrapped(name, room));
  const notes = node.note === undefined ? [] : wrapped(node.note, room);
  return [
    ...names.map(text => ({ text, isNote: false })),
    ...notes.map(text => ({ text, isNote: true })),
  ];
}

function wrapped(text: string, room: number): readonly string[] {
  const lines = broken(visible(text), room);
  if (lines.length <= LINES_OF_NAME) return lines;
  const last = fitted(lines.slice(LINES_OF_NAME - 1).join(' '), room);
  return [...lines.slice(0, LINES_OF_NAME - 1), last];
}
