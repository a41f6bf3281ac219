// A graph as SVG: boxes and lines with classes, coloured by a style that follows light and dark.
import { counted } from '../text/summary.ts';
import type { Frame } from './arrange.ts';
import type { AccessGraph, GraphNode } from './graph.ts';
import {
  BADGE,
  type Box,
  type Drawing,
  type Layout,
  layoutOf,
  PADDING,
  type Paper,
  shownNames,
  signRoom,
} from './layout.ts';
import { type Content, element, type Markup, raw } from './markup.ts';
import { signAt } from './signs.ts';
import { printStyle, SVG_STYLE, TEXT_SIZE, WIDTHS, widthStep } from './svgStyle.ts';

interface Shown extends Drawing {
  /** The title of the drawing, for screen readers. */
  readonly title: string;
  /** Whether boxes contain their ids, and lines the ids of the boxes that they connect, for a script. */
  readonly hasNames?: boolean;
}

/** The smallest legible text, and millimetres, in points. */
const LEAST_POINTS = 6;
const MILLIMETRE = 72 / 25.4;
/** The pixels of a millimetre of paper if the text of a drawing is as small as is legible. */
const PIXELS = (MILLIMETRE * TEXT_SIZE) / LEAST_POINTS;

/** The margin of the paper in millimetres. */
const MARGIN = 10;

/** What fits on a sheet of A3 with its margins. */
export const A3: Paper = { long: (420 - 2 * MARGIN) * PIXELS, short: (297 - 2 * MARGIN) * PIXELS };

/** The first line of the file, by which meshform recognises it. */
export const SVG_MARK = '<!-- meshform graph -->';

/** The graph as a standalone document. Its text is legible on a sheet of A3 if the graph is not too large. */
export function svgDocument(graph: AccessGraph, shown: Omit<Shown, 'paper'>): string {
  const layout = layoutOf(graph, { ...shown, paper: A3 });
  const style = SVG_STYLE + printStyle(layout, MARGIN);
  return `${SVG_MARK}\n${drawingOf(layout, { ...shown, style }).markup}`;
}

/** The graph as an element of a document that has the style for drawings. */
export const svgElement = (graph: AccessGraph, shown: Shown): Markup =>
  drawingOf(layoutOf(graph, shown), shown);

function drawingOf(
  layout: Layout,
  { title, hasNames = false, style }: Shown & { readonly style?: string },
): Markup {
  const { width, height } = layout;
  const namesFor = namesIn(layout);
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      class: 'drawing',
      role: 'img',
      'aria-label': title,
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
    },
    element('title', {}, title),
    style !== undefined && raw('style', {}, style),
    element('rect', { class: 'paper', width, height }),
    element('g', { class: 'frames' }, layout.frames.map(frameOf)),
    element(
      'g',
      { class: 'lines' },
      unchangedFirst(layout.lines).map(line => lineOf(line, layout.boxes, hasNames)),
    ),
    element(
      'g',
      { class: 'boxes' },
      [...layout.boxes.values()].map(box =>
        boxOf(box, layout.spacing, hasNames ? namesFor(box) : {}),
      ),
    ),
  );
}

// Changes are drawn over unchanged parts.
const unchangedFirst = (lines: readonly DrawnLine[]): readonly DrawnLine[] =>
  lines.toSorted(
    (one, other) => Number(one.change !== undefined) - Number(other.change !== undefined),
  );

/**
 * Returns a function for the attributes of a box that the script of a page reads: its id, the objects that it represents, and the
 * ids of boxes that lead to the same address.
 */
function namesIn({ boxes }: Layout): (box: Box) => Readonly<Record<string, string | undefined>> {
  const idOf = new Map(
    [...boxes.values()].flatMap(({ node }) =>
      node.layer === 'resource' ? node.names.map(name => [name, node.id] as const) : [],
    ),
  );
  return ({ node: { id, contents, around = [] } }) => {
    const others = new Set(around.flatMap(name => idOf.get(name) ?? []));
    return {
      'data-id': id,
      'data-contents': contents?.join('\n'),
      'data-around': others.size > 0 ? [...others].join(' ') : undefined,
    };
  };
}

function boxOf(
  box: Box,
  { line, padding }: Layout['spacing'],
  names: Readonly<Record<string, string | undefined>>,
): Markup {
  const { node, lines, x, y, width, height } = box;
  const baseline = y + padding + line / 2 + 4;
  const { layer, isOff, change } = node;
  const start = x + PADDING + signRoom(lines);
  const looks = ['box', layer, ...(isOff ? ['off'] : []), ...(change ? [change] : [])];
  return element(
    'g',
    {
      class: looks.join(' '),
      ...names,
    },
    element('title', {}, boxTitle(node)),
    element('rect', { x, y, width, height, rx: layer === 'rule' ? 12 : 4 }),
    ...lines.map(({ sign }, at) => sign && signAt(sign, x + PADDING, baseline - 11 + at * line)),
    ...lines.map(({ text, isNote }, at) =>
      element('text', { x: start, y: baseline + at * line, class: isNote ? 'note' : 'name' }, text),
    ),
    badgeOf(box, padding - 1),
  );
}

const boxTitle = ({ names, standsFor = names, note, change }: GraphNode): string =>
  [
    ...(change === undefined ? [] : [change]),
    ...standsFor,
    ...(note === undefined ? [] : [note]),
  ].join(', ');

function badgeOf({ badge, x, y, width }: Box, distance: number): Content {
  if (badge === undefined) return undefined;
  const { size, gap } = BADGE;
  const left = x + width - size - gap;
  const top = y + distance;
  return element(
    'g',
    { class: `badge ${badge.look}` },
    element('rect', { x: left, y: top, width: size, height: size, rx: 4 }),
    element('text', { x: left + size / 2, y: top + 12 }, badge.text),
  );
}

const frameOf = ({ name, x, y, width, height }: Frame): Markup =>
  element(
    'g',
    { class: 'frame' },
    element('rect', { x, y, width, height, rx: 6 }),
    element('text', { x: x + PADDING, y: y + 13 }, name),
  );

/** The length of an arrow head, and the radius of a corner. */
const HEAD = 7;
const RADIUS = 5;

type DrawnLine = Layout['lines'][number];

function lineOf(line: DrawnLine, boxes: Layout['boxes'], hasNames: boolean): Markup {
  const { from, to, points, isBoth } = line;
  const half = Math.max(4, widthOf(line) / 2 + 2.5);
  const first = points[0] ?? [0, 0];
  const last = points.at(-1) ?? [0, 0];
  const start = [first[0] + (isBoth ? HEAD : 0), first[1]] as const;
  const end = [last[0] - HEAD, last[1]] as const;
  const heads = [
    `M${last[0]} ${last[1]}l-${HEAD} -${half}v${2 * half}z`,
    ...(isBoth ? [`M${first[0]} ${first[1]}l${HEAD} -${half}v${2 * half}z`] : []),
  ];
  return element(
    'g',
    {
      class: looksOf(line).join(' '),
      ...(hasNames && { 'data-from': from, 'data-to': to, 'data-both': isBoth }),
    },
    line.access && element('title', {}, lineTitle(line, boxes)),
    element('path', { class: 'way', d: wayOf([start, ...points.slice(1, -1), end]) }),
    element('path', { class: 'head', d: heads.join('') }),
  );
}

// The classes of a line. In a comparison of two states, they show how its pairs change, and otherwise the purpose of its ports.
function looksOf(line: DrawnLine): readonly string[] {
  const { access, change, isGone, isOff } = line;
  const kind = access && isGone === undefined ? [`k-${access.kind}`] : [];
  const width = access ? [`w${widthStep(access.pairs)}`] : ['belongs'];
  const off = isOff ? ['off'] : [];
  const compared = [...(change ? [change] : []), ...(isGone ? ['gone'] : [])];
  return ['line', ...kind, ...width, ...off, ...compared];
}

const widthOf = ({ access }: DrawnLine): number =>
  access ? (WIDTHS[widthStep(access.pairs)]?.width ?? 0) : 0;

// `group/on-call → ssh: tcp/22, 12 pairs`
function lineTitle(line: DrawnLine, boxes: Layout['boxes']): string {
  const { from, to, access, change, isGone } = line;
  const nameOf = (id: string) => shownNames(boxes.get(id)?.node ?? NO_NAMES).join(', ');
  const ports = access?.ports.length ? access.ports.join(' ') : 'no ports';
  const how = change ?? (isGone ? 'removed, but its access is unchanged' : undefined);
  const facts = [ports, counted(access?.pairs ?? 0, 'pair'), ...(how === undefined ? [] : [how])];
  return `${nameOf(from)} → ${nameOf(to)}: ${facts.join(', ')}`;
}

const NO_NAMES = { names: [] };

type Point = readonly [x: number, y: number];

// The SVG path of a line, with rounded corners. Coordinates are relative to save space, because a page has thousands of lines.
function wayOf(points: readonly Point[]): string {
  const [first = [0, 0]] = points;
  let at: Point = first;
  const parts = points.slice(1).map((point, index) => {
    const next = points[index + 2];
    const corner = next === undefined ? point : towards(point, at);
    const straight = straightBetween(at, corner);
    at = corner;
    if (next === undefined) return straight;
    const end = towards(point, next);
    const curve = `q${distance(at, point)} ${distance(at, end)}`;
    at = end;
    return straight + curve;
  });
  return `M${first[0]} ${first[1]}${parts.join('')}`;
}

function straightBetween([x, y]: Point, [toX, toY]: Point): string {
  if (y === toY) return `h${rounded(toX - x)}`;
  return x === toX ? `v${rounded(toY - y)}` : `l${distance([x, y], [toX, toY])}`;
}

const distance = ([x, y]: Point, [toX, toY]: Point): string =>
  `${rounded(toX - x)} ${rounded(toY - y)}`;

const rounded = (value: number): number => Math.round(value * 10) / 10;

function towards(
  [x, y]: readonly [number, number],
  [toX, toY]: readonly [number, number],
): readonly [number, number] {
  const far = Math.hypot(toX - x, toY - y);
  const part = far === 0 ? 0 : Math.min(RADIUS, far / 2) / far;
  return [rounded(x + (toX - x) * part), rounded(y + (toY - y) * part)];
}
