// Computes the widths and heights of the parts of the matrix from their texts.

import { cutApart } from './cut.js';
import { chipsOf } from './matrix.js';
import { characterWidth, linesNeeded, partsOf, shortened } from './wrapping.js';

/**
 * In pixels: a row with one line, a column that is not measured, a line in the header of a network, and the padding of that
 * header.
 */
const SIZE = { row: 36, column: 104, line: 16, padding: 10 };
/**
 * With more cells than this in a view, all columns have the same width, because each key in a filter would measure all cells
 * again.
 */
const MEASURED = 250_000;
/**
 * In the header of a row: the height of a line and of the number of members, the padding, the least width, and the most lines.
 */
const SIDE = { line: 16.25, members: 15, padding: 18, edge: 4, least: 112, lines: 2, narrow: 4 };
/**
 * The largest width of the headers of rows, in a narrow and in a wide window. With fewer rows than `few`, labels have more lines.
 */
const SIDES = { narrow: 128, wide: 232, window: 600, few: 200 };
/** The sizes of a chip, in pixels: a character, its padding, and the gap to the next chip or text. */
const CHIP = { character: 7, padding: 8, gap: 3, beside: 10 };
/**
 * The sizes of a column header, in characters and pixels: longer lines are wrapped, longer texts end in an ellipsis. `thick`: the
 * width that a line adds to the column; `sides`: its padding.
 */
export const HEADER = { line: 26, most: 78, character: 7, edge: 22, thick: 16.25, sides: 10 };
/**
 * The sizes of a network header, which is bold: the width of a character and the padding in pixels, and the largest number of
 * lines.
 */
const WITHIN = { character: 8, padding: 21, lines: 4 };

/**
 * @typedef {import('./matrix.js').Matrix} Matrix
 * @typedef {import('./matrix.js').Side} Side
 * @typedef {import('./matrix.js').View} View
 * @typedef {{ name: string, begin: number, end: number }} Run columns of one network that are beside each other
 * @typedef {object} Layout widths and heights are in pixels
 * @property {number} side the width of the headers of rows
 * @property {number} within the height of the headers of networks
 * @property {number} heads the height of the headers of columns
 * @property {number} row the height of a row
 * @property {number[]} begins where each column begins beside the headers of rows, and where the last one ends
 * @property {Map<string, string>} labels the labels of rows as they fit
 * @property {Run[]} runs
 */

/**
 * The layout of a view.
 * @param {Matrix} matrix
 * @param {View} view
 * @param {number} room the width of the window of the matrix, in pixels
 * @returns {Layout}
 */
export function layoutOf(matrix, view, room) {
  const rows = view.rows.flatMap(at => matrix.data.rows[at] ?? []);
  const columns = view.columns.map(at => matrix.data.columns[at]);
  const side = sideWidth(rows, room < SIDES.window ? SIDES.narrow : SIDES.wide);
  const runs = runsAmong(columns);
  const begins = beginsOf(columnWidths(matrix, view, runs));
  const labels = fittingLabels(rows, side);
  return {
    side,
    within: networksHeight(runs, begins),
    heads: headsHeight(columns),
    row: rowHeight(rows, labels, side),
    begins,
    labels,
    runs,
  };
}

/** The height of everything above the rows. @type {(layout: Layout) => number} */
export const headHeight = ({ within, heads }) => within + heads;

/** Where a column begins beside the headers of rows. @type {(layout: Pick<Layout, 'begins'>, column: number) => number} */
export const beginOf = ({ begins }, column) => begins[column] ?? 0;

/** The width of the columns from `begin` up to, but not including, `end`. @type {(layout: Pick<Layout, 'begins'>, begin: number, end: number) => number} */
export const widthOf = (layout, begin, end) => beginOf(layout, end) - beginOf(layout, begin);

/** The column at a distance from the headers of rows. @type {(layout: Layout, distance: number) => number} */
export function columnAt(layout, distance) {
  let least = 0;
  let most = Math.max(0, layout.begins.length - 2);
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (beginOf(layout, middle) <= distance) least = middle;
    else most = middle - 1;
  }
  return least;
}

/** The name of a network, as far as a header of this width has room for it. @type {(name: string, width: number) => string} */
export const networkShown = (name, width) => shortened(name, WITHIN.lines * fittingIn(width));

/** How many characters fit into a line of the header of a network of this width. @type {(width: number) => number} */
const fittingIn = width => Math.floor((width - WITHIN.padding) / WITHIN.character);

/** What is above the label of a column. @type {(target: Side | undefined) => string} */
const networkOf = target =>
  target?.within ?? (target?.address === undefined ? 'Machines' : 'Other addresses');

/** @type {(columns: (Side | undefined)[]) => Run[]} */
function runsAmong(columns) {
  /** @type {Run[]} */
  const found = [];
  for (const [at, target] of columns.entries()) {
    const name = networkOf(target);
    const last = found.at(-1);
    if (last?.name === name) last.end = at + 1;
    else found.push({ name, begin: at, end: at + 1 });
  }
  return found;
}

/** @type {(widths: number[]) => number[]} */
function beginsOf(widths) {
  const begins = [0];
  for (const width of widths) begins.push((begins.at(-1) ?? 0) + width);
  return begins;
}

/** The width that the headers of rows need, at most so many pixels. @type {(rows: Side[], most: number) => number} */
function sideWidth(rows, most) {
  const widths = rows.map(({ label }) =>
    Math.ceil(label.length * characterWidth(label) + SIDE.padding),
  );
  return Math.min(
    most,
    widths.reduce((widest, width) => Math.max(widest, width), SIDE.least),
  );
}

/** How many lines a label needs in the header of a row of this width. @type {(text: string, side: number) => number} */
const sideLines = (text, side) =>
  linesNeeded(text, Math.floor((side - SIDE.padding) / characterWidth(text)));

/** The labels of rows, cut to the allowed number of lines. @type {(rows: Side[], side: number) => Map<string, string>} */
function fittingLabels(rows, side) {
  const most = side < SIDES.few ? SIDE.narrow : SIDE.lines;
  return cutApart(
    [...new Set(rows.map(({ label }) => label))],
    text => sideLines(text, side) <= most,
  );
}

/** The height of rows in which every row fits. @type {(rows: Side[], labels: Map<string, string>, side: number) => number} */
const rowHeight = (rows, labels, side) =>
  rows.reduce((height, { label, members }) => {
    const lines = sideLines(labels.get(label) ?? label, side) * SIDE.line;
    const size = members.length > 1 ? SIDE.members : 0;
    return Math.max(height, Math.ceil(lines + size + SIDE.edge));
  }, SIZE.row);

/** The height in which the labels of all columns fit. @type {(columns: (Side | undefined)[]) => number} */
function headsHeight(columns) {
  const longest = columns.reduce(
    (most, target) => Math.max(most, target?.label.length ?? 0, target?.address?.length ?? 0),
    8,
  );
  return Math.min(HEADER.line, longest) * HEADER.character + HEADER.edge;
}

/** The height in which the names of all networks fit. @type {(runs: Run[], begins: number[]) => number} */
function networksHeight(runs, begins) {
  const lines = runs.reduce((most, { name, begin, end }) => {
    const needed = linesNeeded(name, fittingIn(widthOf({ begins }, begin, end)));
    return Math.max(most, Math.min(WITHIN.lines, needed));
  }, 1);
  return SIZE.padding + SIZE.line * lines;
}

/**
 * The width of each column: its header and contents fit, and no word is broken in the header of its network.
 * @param {Matrix} matrix
 * @param {View} view
 * @param {Run[]} runs
 */
function columnWidths(matrix, view, runs) {
  if (view.columns.length * view.rows.length > MEASURED) return view.columns.map(() => SIZE.column);
  const contents = contentWidths(matrix, view);
  const widths = view.columns.map((at, column) =>
    Math.ceil(Math.max(headerWidth(matrix.data.columns[at]), contents[column] ?? 0)),
  );
  for (const { name, begin, end } of runs) {
    const longest = partsOf(name).reduce((most, { length }) => Math.max(most, length), 0);
    const needed = longest * WITHIN.character + WITHIN.padding;
    const wide = widths.slice(begin, end).reduce((sum, width) => sum + width, 0);
    const more = Math.ceil(Math.max(0, needed - wide) / (end - begin));
    for (let column = begin; column < end; column++) widths[column] = (widths[column] ?? 0) + more;
  }
  return widths;
}

/** @param {Side | undefined} target */
function headerWidth(target) {
  const label = target?.label ?? '';
  const address = target?.address ?? label;
  const texts = address === label ? [label] : [label, address];
  const lines = texts.map(text => {
    const shown = shortened(text, HEADER.most);
    const most = (HEADER.line * HEADER.character) / characterWidth(shown);
    return linesNeeded(shown, Math.floor(most));
  });
  return lines.reduce((sum, count) => sum + count * HEADER.thick, HEADER.sides);
}

/** By column, the width of its widest cell. @type {(matrix: Matrix, view: View) => number[]} */
function contentWidths(matrix, view) {
  /** @type {Map<number, number>} */
  const known = new Map();
  return view.columns.map(column =>
    view.rows.reduce((most, row) => {
      const number = view.isShown(row, column);
      const width = known.get(number) ?? cellWidth(matrix, number);
      known.set(number, width);
      return Math.max(most, width);
    }, 0),
  );
}

/** @type {(matrix: Matrix, number: number) => number} */
function cellWidth(matrix, number) {
  const verdict = matrix.data.verdicts[number];
  const chips = verdict === undefined ? [] : chipsOf(verdict);
  return chips.reduce(
    (sum, { text }) => sum + text.length * CHIP.character + CHIP.padding + CHIP.gap,
    CHIP.beside,
  );
}
