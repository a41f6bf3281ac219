// A graph as SVG: boxes and lines with classes, coloured by a style that follows light and dark.
import type { AccessGraph, GraphEdge } from './accessGraph.ts';
import { type Box, type Layout, LINE, layoutOf, PADDING } from './layout.ts';
import { element, type Markup, raw } from './markup.ts';

/** The title of the drawing, for screen readers. */
interface Title {
  readonly title: string;
}

/** The first line of the file, by which meshform recognises it. */
export const SVG_MARK = '<!-- meshform graph -->';

/** The graph as a standalone document. */
export function svgDocument(graph: AccessGraph, { title }: Title): string {
  const drawn = svgElement(graph, { title, style: SVG_STYLE });
  return `${SVG_MARK}\n${drawn.markup}`;
}

/** The graph as an element. `style`: needed if the surrounding document has no style for it. */
export function svgElement(
  graph: AccessGraph,
  { title, style }: Title & { readonly style?: string },
): Markup {
  const layout = layoutOf(graph);
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
    element('g', { class: 'lines' }, ...layout.edges.map(edge => lineOf(edge, layout))),
    element('g', { class: 'boxes' }, ...[...layout.boxes.values()].map(boxOf)),
  );
}

/** The distance of the first line of text from the top of a box. */
const BASELINE = PADDING + 11;

function boxOf({ node, lines, x, y, width, height }: Box): Markup {
  return element(
    'g',
    { class: `box ${node.layer}${node.isOff ? ' off' : ''}` },
    element('title', {}, node.lines.join(', ')),
    element('rect', { x, y, width, height, rx: node.layer === 'rule' ? 14 : 4 }),
    ...lines.map((line, at) =>
      element(
        'text',
        { x: x + PADDING, y: y + BASELINE + at * LINE, class: at === 0 ? 'name' : 'note' },
        line,
      ),
    ),
  );
}

/** The length of an arrow head. */
const HEAD = 7;

function lineOf({ from, to, isBoth, isOff }: GraphEdge, { boxes }: Layout): Markup {
  const one = boxes.get(from);
  const other = boxes.get(to);
  if (one === undefined || other === undefined) return element('g', {});
  const x1 = one.x + one.width;
  const y1 = one.y + one.height / 2;
  const x2 = other.x;
  const y2 = other.y + other.height / 2;
  const start = isBoth ? x1 + HEAD : x1;
  const bend = (x2 - x1) / 2;
  const line = `M${start} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2 - HEAD} ${y2}`;
  const heads = [`M${x2} ${y2}l-${HEAD} -4v8z`, ...(isBoth ? [`M${x1} ${y1}l${HEAD} -4v8z`] : [])];
  return element(
    'g',
    { class: isOff ? 'line off' : 'line' },
    element('path', { class: 'way', d: line }),
    element('path', { class: 'head', d: heads.join('') }),
  );
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
  .drawing text { fill: #e6edf3; }
  .drawing .note { fill: #b3bcc6; }
  .drawing .way { stroke: #8b949e; }
  .drawing .head { fill: #8b949e; }
}
`;
