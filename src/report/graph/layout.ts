// The layout of a graph of access: the size, the text and the position of each box.
import { present } from '../../model/errors.ts';
import { largest } from '../../model/text/longLists.ts';
import { visible } from '../../model/text/visible.ts';
import { counted } from '../text/summary.ts';
import { broken, fitted, partsOfWord, textWidth } from '../text/width.ts';
import { arranged, type Frame } from './arrange.ts';
import { type BoxName, boxNames } from './boxNames.ts';
import type { AccessGraph, GraphEdge, GraphNode, Layer, NodeChange } from './graph.ts';
import { commonKind, letterOf } from './portKinds.ts';
import type { Gaps, Line, Place } from './routedLines.ts';
import { NO_SIGNS, SIGN, type Sign, type Signs } from './signs.ts';

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
  /** On the first line of a name: the sign of its kind. */
  readonly sign?: Sign | undefined;
}

export interface Layout {
  readonly spacing: Spacing;
  readonly boxes: ReadonlyMap<string, Box>;
  readonly lines: readonly (Line & GraphEdge)[];
  readonly frames: readonly Frame[];
  readonly width: number;
  readonly height: number;
}

/** The maximum widths of boxes in characters. */
type Room = Readonly<Record<Layer, number>>;

/** A resource's text includes its address, and a router's text includes its machines. */
const ROOM: Room = { source: 32, rule: 32, destination: 32, resource: 36, place: 32, router: 36 };

/**
 * The widths of narrow boxes. Narrow boxes are higher, so they are used only if they make the drawing fit into the available
 * width.
 */
const NARROW: Room = { source: 26, rule: 28, destination: 26, resource: 30, place: 26, router: 30 };

/** Narrow boxes beside resources of the usual width: the column of resources is often the highest, and must not become higher. */
const SLIM: Room = { source: 26, rule: 26, destination: 26, resource: 36, place: 26, router: 28 };

/** The heights inside boxes, and the gaps between them, in pixels. */
interface Spacing {
  /** The height of a line of text. */
  readonly line: number;
  /** The padding above and below the text of a box. */
  readonly padding: number;
  readonly gaps: Gaps;
}

const ROOMY: Spacing = { line: 16, padding: 6, gaps: { nodes: 10, lines: 8, framed: 22 } };

/** Used only if it makes the text of the drawing legible on its paper. */
const DENSE: Spacing = { line: 14, padding: 4, gaps: { nodes: 6, lines: 8, framed: 16 } };

/** A drawing that is wider than the available width by more than this factor does not fit even with narrow boxes. */
const TOO_WIDE = 1.3;

/**
 * The maximum number of lines of a name, and of a note that also shows the former value; the full text is in the title of the
 * box.
 */
const LINES = { name: 3, changed: 6 };
const CHARACTER = 7.3;
/** The padding of a box on the left and on the right. */
export const PADDING = 8;
/** The edge length of a badge, and the gap between the badge and the text. */
export const BADGE = { size: 16, gap: 6 };
/** The maximum number of names that a box shows. */
const SHOWN = 3;

/** What a drawing depends on besides its graph. */
export interface Drawing {
  /** The signs that boxes show in place of kinds; absent: boxes show whole selectors. */
  readonly signs?: Signs | undefined;
  /** The available width in pixels; absent if the drawing may have any width. */
  readonly widest?: number | undefined;
  /** The size of the paper, in pixels, on which the text is just legible; absent if the drawing may have any size. */
  readonly paper?: Paper | undefined;
}

/**
 * Assigns a position to each node. If the drawing would be only a little wider than `widest`, the boxes are made narrower. If it
 * would be only a little larger than `paper`, everything is made smaller, except the text.
 */
export function layoutOf(
  graph: AccessGraph,
  { signs = NO_SIGNS, widest = Infinity, paper }: Drawing = {},
): Layout {
  const roomy = laidOut(graph, { room: ROOM, spacing: ROOMY, signs });
  if (paper !== undefined) return onPaper(roomy, paper, look => laidOut(graph, { ...look, signs }));
  if (roomy.width <= widest || roomy.width > widest * TOO_WIDE) return roomy;
  const narrow = laidOut(graph, { room: NARROW, spacing: ROOMY, signs });
  return narrow.width <= widest ? narrow : roomy;
}

/** The size of a sheet of paper, in pixels. */
export interface Paper {
  readonly long: number;
  readonly short: number;
}

/** The factor by which a drawing must be reduced to fit on the paper, upright or across; above 1 if there is room left. */
function reductionOn(
  { width, height }: Pick<Layout, 'width' | 'height'>,
  { long, short }: Paper,
): number {
  const [longer, shorter] = width > height ? [width, height] : [height, width];
  return Math.min(long / longer, short / shorter);
}

/** Drawings that need a stronger reduction than this do not become legible by smaller gaps, so they keep the usual ones. */
const TOO_LARGE = 0.5;

// The first layout that is legible on the paper; if none is, the one that needs the least reduction.
function onPaper(
  roomy: Layout,
  paper: Paper,
  laidOutAs: (look: Pick<Look, 'room' | 'spacing'>) => Layout,
): Layout {
  let best = roomy;
  const reduction = reductionOn(roomy, paper);
  if (reduction >= 1 || reduction < TOO_LARGE) return roomy;
  for (const room of [ROOM, SLIM, NARROW]) {
    const layout = laidOutAs({ room, spacing: DENSE });
    if (reductionOn(layout, paper) > reductionOn(best, paper)) best = layout;
    if (reductionOn(best, paper) >= 1) break;
  }
  return best;
}

interface Look {
  readonly room: Room;
  readonly spacing: Spacing;
  readonly signs: Signs;
}

function laidOut({ nodes, edges }: AccessGraph, { room, spacing, signs }: Look): Layout {
  const badges = badgesOf({ nodes, edges });
  const texts = new Map(nodes.map(node => [node.id, linesOf(node, room[node.layer], signs)]));
  const sized = nodes.map(({ id, frame }) => {
    const lines = texts.get(id) ?? [];
    return { id, frame, ...sizeOf(lines, badges.get(id), spacing) };
  });
  const { places, lines, frames, width, height } = arranged(sized, edges, spacing.gaps);
  return {
    spacing,
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

/** The room for signs to the left of all lines of a box; none if no line has a sign. */
export const signRoom = (lines: readonly TextLine[]): number =>
  lines.some(({ sign }) => sign !== undefined) ? SIGN.size + SIGN.gap : 0;

function sizeOf(lines: readonly TextLine[], badge: Badge | undefined, { line, padding }: Spacing) {
  const width = largest(
    4,
    lines.map(({ text }) => textWidth(text)),
  );
  return {
    width: Math.ceil(width * CHARACTER + 2 * PADDING) + signRoom(lines) + badgeRoom(badge),
    height: lines.length * line + 2 * padding,
  };
}

const badgeRoom = (badge: Badge | undefined): number =>
  badge === undefined ? 0 : BADGE.size + BADGE.gap;

const CHANGES: Readonly<Record<NodeChange, Badge>> = {
  added: { text: '+', look: 'gained' },
  removed: { text: '−', look: 'lost' },
  changed: { text: '~', look: 'changed' },
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
export const shownNames = (node: Pick<GraphNode, 'names' | 'isList'>): readonly string[] =>
  firstOf(node.names, node, text => text);

function firstOf<T>(
  names: readonly T[],
  { isList = false }: Pick<GraphNode, 'isList'>,
  line: (text: string) => T,
): readonly T[] {
  if (isList || names.length <= SHOWN) return names;
  const rest = line(`and ${counted(names.length - SHOWN + 1, 'more', 'more')}`);
  return names.slice(0, SHOWN - 1).concat([rest]);
}

function linesOf(node: GraphNode, room: number, signs: Signs): readonly TextLine[] {
  const names = firstOf(boxNames(node, signs), node, (text): BoxName => ({ text })).flatMap(
    ({ text, sign }) =>
      wrapped(text, room, LINES.name).map((line, at) => ({
        text: line,
        sign: at === 0 ? sign : undefined,
      })),
  );
  const most = node.change === 'changed' ? LINES.changed : LINES.name;
  const notes = node.note === undefined ? [] : wrapped(node.note, room, most);
  return [
    ...names.map((line): TextLine => ({ ...line, isNote: false })),
    ...notes.map(text => ({ text, isNote: true })),
  ];
}

function wrapped(text: string, room: number, most: number): readonly string[] {
  const lines = broken(visible(text), room, partsOfWord);
  if (lines.length <= most) return lines;
  const last = fitted(lines.slice(most - 1).join(' '), room);
  return [...lines.slice(0, most - 1), last];
}
