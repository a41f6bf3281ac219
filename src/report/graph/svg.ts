// A graph as SVG: boxes and lines with classes, coloured by a style that follows light and dark.
import type { AccessGraph } from './accessGraph.ts';
import type { Frame } from './arrange.ts';
import { type Box, type Layout, LINE, layoutOf, PADDING } from './layout.ts';
import { element, type Markup, raw } from './markup.ts';

/** The title of the drawing, for screen readers. */
interface Title {
  readonly title: string;
  readonly isFramed?: boolean;
  /** Whether boxes have their ids, and lines those of their ends, for a script. */
  readonly hasNames?: boolean;
}

/** The first line of the file, by which meshform recognises it. */
export const SVG_MARK = '<!-- meshform graph -->';

/** The graph as a standalone document. */
export function svgDocument(graph: AccessGraph, { title, isFramed = false }: Title): string {
  const drawn = svgElement(graph, { title, isFramed, style: SVG_STYLE });
  return `${SVG_MARK}\n${drawn.markup}`;
}

/** The graph as an element. `style`: needed if the surrounding document has no style for it. */
export function svgElement(
  graph: AccessGraph,
  { title, isFramed, hasNames = false, style }: Title & { readonly style?: string },
): Markup {
  const layout = layoutOf(graph, isFramed);
  const { width, height } = layout;
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
      layout.lines.map(line => lineOf(line, hasNames)),
    ),
    element(
      'g',
      { class: 'boxes' },
      [...layout.boxes.values()].map(box => boxOf(box, hasNames)),
    ),
  );
}

/** The distance of the first line of text from the top of a box. */
const BASELINE = PADDING + 10;

function boxOf({ node, lines, x, y, width, height }: Box, hasNames: boolean): Markup {
  const { id, layer, names, note, isOff } = node;
  return element(
    'g',
    { class: `box ${layer}${isOff ? ' off' : ''}`, ...(hasNames && { 'data-id': id }) },
    element('title', {}, [...names, ...(note === undefined ? [] : [note])].join(', ')),
    element('rect', { x, y, width, height, rx: layer === 'rule' ? 12 : 4 }),
    ...lines.map(({ text, isNote }, at) =>
      element(
        'text',
        { x: x + PADDING, y: y + BASELINE + at * LINE, class: isNote ? 'note' : 'name' },
        text,
      ),
    ),
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

function lineOf(line: Layout['lines'][number], hasNames: boolean): Markup {
  const { from, to, points, isBoth, isOff } = line;
  const first = points[0] ?? [0, 0];
  const last = points.at(-1) ?? [0, 0];
  const start = [first[0] + (isBoth ? HEAD : 0), first[1]] as const;
  const end = [last[0] - HEAD, last[1]] as const;
  const heads = [
    `M${last[0]} ${last[1]}l-${HEAD} -4v8z`,
    ...(isBoth ? [`M${first[0]} ${first[1]}l${HEAD} -4v8z`] : []),
  ];
  return element(
    'g',
    {
      class: isOff ? 'line off' : 'line',
      ...(hasNames && { 'data-from': from, 'data-to': to, 'data-both': isBoth }),
    },
    element('path', { class: 'way', d: wayOf([start, ...points.slice(1, -1), end]) }),
    element('path', { class: 'head', d: heads.join('') }),
  );
}

// The path through corners, which are round.
function wayOf(points: readonly (readonly [number, number])[]): string {
  return points
    .map(([x, y], at) => {
      const before = points[at - 1];
      const after = points[at + 1];
      if (before === undefined) return `M${x} ${y}`;
      if (after === undefined) return `L${x} ${y}`;
      const [x1, y1] = towards([x, y], before);
      const [x2, y2] = towards([x, y], after);
      return `L${x1} ${y1}Q${x} ${y} ${x2} ${y2}`;
    })
    .join('');
}

function towards(
  [x, y]: readonly [number, number],
  [toX, toY]: readonly [number, number],
): readonly [number, number] {
  const far = Math.hypot(toX - x, toY - y);
  const part = far === 0 ? 0 : Math.min(RADIUS, far / 2) / far;
  const rounded = (value: number) => Math.round(value * 10) / 10;
  return [rounded(x + (toX - x) * part), rounded(y + (toY - y) * part)];
}

/** Disabled nodes are dashed and labelled, because colour alone is not accessible. */
export const SVG_STYLE = `
.drawing { font: 12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.drawing .paper { fill: #ffffff; }
.drawing .box rect { fill: #f6f8fa; stroke: #57606a; }
.drawing .box.rule rect { fill: #eaf2fd; stroke: #0a58b8; }
.drawing .box.place rect { fill: #eef7ee; stroke: #1a6b2d; }
.drawing .box.router rect { fill: #fdf5e6; stroke: #8a5a00; }
.drawing .box.off rect { stroke-dasharray: 5 3; }
.drawing .frame rect { fill: none; stroke: #aab2bb; stroke-dasharray: 2 3; }
.drawing .frame text { fill: #4b535d; }
.drawing text { fill: #1b1f24; }
.drawing .note { fill: #4b535d; }
.drawing .way { fill: none; stroke: #6b7480; stroke-width: 1.2; }
.drawing .off .way { stroke-dasharray: 5 4; }
.drawing .head { fill: #6b7480; }
@media screen and (prefers-color-scheme: dark) {
  .drawing .paper { fill: #14171c; }
  .drawing .box rect { fill: #20252c; stroke: #8b949e; }
  .drawing .box.rule rect { fill: #13263f; stroke: #6cb0ff; }
  .drawing .box.place rect { fill: #12291a; stroke: #5cc97b; }
  .drawing .box.router rect { fill: #31260e; stroke: #e0b04a; }
  .drawing .frame rect { stroke: #57606a; }
  .drawing text { fill: #e6edf3; }
  .drawing .note, .drawing .frame text { fill: #b3bcc6; }
  .drawing .way { stroke: #8b949e; }
  .drawing .head { fill: #8b949e; }
}
`;
