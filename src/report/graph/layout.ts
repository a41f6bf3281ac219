// The layout of a graph of access: the size, the text and the position of each box.
import { present } from '../../model/errors.ts';
import { largest } from '../../model/text/longLists.ts';
import { visible } from '../../model/text/visible.ts';
import { counted } from '../text/summary.ts';
import { broken, fitted, textWidth } from '../text/width.ts';
import { arranged, type Frame } from './arrange.ts';
import type { AccessGraph, GraphEdge, GraphNode, Layer, NodeChange } from './graph.ts';
import { commonKind, letterOf } from './portKinds.ts';
import type { Line, Place } from './routedLines.ts';

export interface Box extends Place {
  readonly node: GraphNode;
  readonly lines: readonly TextLine[];
  readonly badge?: Badge | undefined;
}

/** A letter in the corner of a box: it shows the purpose of its ports, or how the box changes. */
interface Badge {
  readonly text: string;
  /** The class that colours the badge. */
  readonly look: string;
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

/**
 * The maximum width of a box in characters. The text of a resource includes its address, and the text of a router its machines.
 */
const ROOM: Readonly<Record<Layer, number>> = {
  source: 38,
  rule: 35,
  destination: 38,
  resource: 58,
  place: 38,
  router: 58,
};
/**
 * The maximum number of lines of a name, and of a note that also shows the former value; the full text is in the title of the
 * box.
 */
const LINES = { name: 3, edited: 6 };
const CHARACTER = 7.3;
/** The height of a line, and the padding of a box. */
export const LINE = 16;
export const PADDING = 8;
/** The side of a badge, with its distance to the text. */
export const BADGE = { size: 16, gap: 6 };
/** The maximum number of names that a box shows. */
const SHOWN = 3;

/** Assigns a position to each node. */
export function layoutOf({ nodes, edges }: AccessGraph): Layout {
  const badges = badgesOf({ nodes, edges });
  const texts = new Map(nodes.map(node => [node.id, linesOf(node)]));
  const sized = nodes.map(({ id, frame }) => {
    const lines = texts.get(id) ?? [];
    const width = largest(
      4,
      lines.map(({ text }) => textWidth(text)),
    );
    return {
      id,
      width: Math.ceil(width * CHARACTER + 2 * PADDING) + badgeRoom(badges.get(id)),
      height: lines.length * LINE + 2 * PADDING - 4,
      frame,
    };
  });
  const { places, lines, frames, width, height } = arranged(sized, edges);
  return {
    boxes: new Map(
      nodes.map(node => [
        node.id,
        {
          node,
          lines: texts.get(node.id) ?? [],
          badge: badges.get(node.id),
          ...present(places.get(node.id), node.id),
        },
      ]),
    ),
    lines: lines.map((line, at) => ({ ...line, ...present(edges[at], 'the edge of a line') })),
    frames: frames.map(frame => ({ ...frame, name: fitted(visible(frame.name), ROOM.place) })),
    width,
    height,
  };
}

const badgeRoom = (badge: Badge | undefined): number =>
  badge === undefined ? 0 : BADGE.size + BADGE.gap;

const CHANGES: Readonly<Record<NodeChange, Badge>> = {
  added: { text: '+', look: 'gained' },
  removed: { text: '−', look: 'lost' },
  edited: { text: '~', look: 'changed' },
};

// The badges of boxes by id. In a comparison of two states, the change is more important than the purpose of the ports.
function badgesOf({ nodes, edges }: AccessGraph): ReadonlyMap<string, Badge> {
  const leaving = Map.groupBy(edges, ({ from }) => from);
  const arriving = Map.groupBy(edges, ({ to }) => to);
  const isCompared = nodes.some(({ change }) => change !== undefined);
  const badges = nodes.flatMap(({ id, layer, change }): [string, Badge][] => {
    if (change !== undefined) return [[id, CHANGES[change]]];
    if (isCompared || layer !== 'rule') return [];
    const lines = [...(arriving.get(id) ?? []), ...(leaving.get(id) ?? [])];
    const kinds = lines.flatMap(({ access }) => access?.kind ?? []);
    const kind = commonKind(kinds);
    return kinds.length === 0 ? [] : [[id, { text: letterOf(kind), look: `k-${kind}` }]];
  });
  return new Map(badges);
}

/** The names that a box shows. If there are too many, the last line is the number of the others. */
export function shownNames({ names }: Pick<GraphNode, 'names'>): readonly string[] {
  if (names.length <= SHOWN) return names;
  return [...names.slice(0, SHOWN - 1), `and ${counted(names.length - SHOWN + 1, 'more', 'more')}`];
}

function linesOf(node: GraphNode): readonly TextLine[] {
  const room = ROOM[node.layer];
  const names = shownNames(node).flatMap(name => wrapped(name, room, LINES.name));
  const most = node.change === 'edited' ? LINES.edited : LINES.name;
  const notes = node.note === undefined ? [] : wrapped(node.note, room, most);
  return [
    ...names.map(text => ({ text, isNote: false })),
    ...notes.map(text => ({ text, isNote: true })),
  ];
}

function wrapped(text: string, room: number, most: number): readonly string[] {
  const lines = broken(visible(text), room);
  if (lines.length <= most) return lines;
  const last = fitted(lines.slice(most - 1).join(' '), room);
  return [...lines.slice(0, most - 1), last];
}
