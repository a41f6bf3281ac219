// The matrix on the page: a grid of which only the part in sight exists, so that its size does not matter.

import { cutApart } from './cut.js';
import { cellText, chipsOf, lookOf } from './matrix.js';
import { viewsEnd } from './viewsEnd.js';

/** In pixels: rows with one line, columns that are not measured, a line in the header of a network, and the padding of that. */
const SIZE = { row: 36, column: 104, line: 16, padding: 10 };
/** In a view of more cells, all columns have one width: each key in a filter would measure all of them. */
const MEASURED = 250_000;
/** In the header of a row: the width of a character, the height of a line and of the number of members, the padding, the least width, and the most lines. */
const SIDE = {
  character: 7.9,
  line: 16.25,
  members: 15,
  padding: 18,
  edge: 4,
  least: 112,
  lines: 2,
  narrow: 3,
};
/** Of a chip, in pixels: a character, its padding, and the gap to what is beside it. */
const CHIP = { character: 7, padding: 8, gap: 3, beside: 10 };
/** How many rows and columns beyond the part in sight are there already. */
const MARGIN = 3;
/**
 * Of a header of a column, in characters and pixels: longer lines are wrapped, longer texts end in an ellipsis. `thick`: what a line
 * adds to the width of the column; `sides`: its padding.
 */
const HEADER = { line: 26, most: 78, character: 7, edge: 22, thick: 16.25, sides: 10 };
/** In the header of a network, which is bold: the width of a character, its padding in pixels, and the most lines. */
const WITHIN = { character: 8, padding: 21, lines: 4 };

/**
 * @typedef {import('./matrix.js').Matrix} Matrix
 * @typedef {import('./matrix.js').Side} Side
 * @typedef {import('./matrix.js').View} View
 * @typedef {{ row: number, column: number }} Place -1 is the header; places are those of the view
 * @typedef {{ name: string, begin: number, end: number }} Run columns of one network that are beside each other
 */

/**
 * Makes an element. Text is set as text: no name becomes markup.
 * @param {string} tag
 * @param {Record<string, string | number | undefined>} attributes
 * @param {string} [text]
 */
export function make(tag, attributes, text) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) element.setAttribute(name, String(value));
  if (text !== undefined) element.textContent = text;
  return element;
}

/** @type {(text: string, most: number) => string} */
const shortened = (text, most) => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

/**
 * A text that may be wrapped after its marks, and not within its words.
 * @param {string} text
 * @param {string} [look]
 */
function wrappable(text, look) {
  const element = make('span', { class: look });
  for (const part of partsOf(text)) element.append(part, make('wbr', {}));
  return element;
}

/** Browsers wrap after an ellipsis, too. @type {(text: string) => string[]} */
const partsOf = text => text.split(/(?<=[-_./,:@ …])/);

/**
 * How many lines a text needs that is wrapped in this way.
 * @param {string} text
 * @param {number} most characters in a line
 */
function linesNeeded(text, most) {
  let lines = 1;
  let used = 0;
  for (const { length } of partsOf(text)) {
    if (used > 0 && used + length > most) [lines, used] = [lines + 1, 0];
    lines += Math.floor(Math.max(0, length - 1) / most);
    used = length > most ? length % most : used + length;
  }
  return lines;
}

/** The mean width of the characters of a text: capitals and signs of other scripts are wider. @type {(text: string) => number} */
function characterWidth(text) {
  const wide = text.match(/[MWmw@%\u1100-\uffff]/g)?.length ?? 0;
  const capitals = text.match(/[A-Z]/g)?.length ?? 0;
  const widths = text.length * SIDE.character + wide * 5 + capitals * 2;
  return widths / Math.max(1, text.length);
}

/** @type {(side: Side) => string} */
export const titleOf = ({ name, address }) => (address === undefined ? name : `${name} ${address}`);

/**
 * A grid in `box`.
 * @param {HTMLElement} box
 * @param {(place: { row?: number, column?: number }) => void} onChosen is given the row and column of the matrix
 */
export function gridIn(box, onChosen) {
  /** @type {Matrix | undefined} */
  let matrix;
  /** @type {View} */
  let view = { rows: [], columns: [], pairs: 0, isShown: () => -1 };
  /** @type {Place} */
  let active = { row: 0, column: 0 };
  /** The width of the headers of rows, and the heights of all headers and of a row. */
  let edge = { side: 0, head: 0, row: SIZE.row };
  /** Where each column begins beside the headers of rows, and where the last one ends. @type {number[]} */
  let begins = [0];
  /** The labels of rows as they fit. @type {Map<string, string>} */
  let labels = new Map();
  /** @type {Run[]} */
  let runs = [];
  let drawn = '';
  const grid = make('div', { role: 'grid', 'aria-label': 'Who reaches what', class: 'grid' });
  box.replaceChildren(grid);

  const sourceAt = (/** @type {number} */ row) => matrix?.data.rows[view.rows[row] ?? -1];
  const targetAt = (/** @type {number} */ column) =>
    matrix?.data.columns[view.columns[column] ?? -1];
  const chosen = (/** @type {Place} */ { row, column }) => ({
    ...(row >= 0 && { row: view.rows[row] ?? 0 }),
    ...(column >= 0 && { column: view.columns[column] ?? 0 }),
  });

  function measure() {
    const longest = view.columns.reduce((most, at) => {
      const { label = '', address = '' } = matrix?.data.columns[at] ?? {};
      return Math.max(most, label.length, address.length);
    }, 8);
    const heads = Math.min(HEADER.line, longest) * HEADER.character + HEADER.edge;
    const room = box.parentElement?.clientWidth ?? 0;
    const side = sideWidth(room < 600 ? 128 : 232);
    runs = runsInView();
    begins = [0];
    for (const width of columnWidths()) begins.push((begins.at(-1) ?? 0) + width);
    const within =
      SIZE.padding +
      SIZE.line *
        runs.reduce((most, { name, begin, end }) => {
          const lines = linesNeeded(name, fittingIn(widthOf(begin, end)));
          return Math.max(most, Math.min(WITHIN.lines, lines));
        }, 1);
    const row = sidesIn(side);
    edge = { side, head: within + heads, row };
    for (const [name, size] of Object.entries({ side, labels: heads, within, row }))
      grid.style.setProperty(`--${name}`, `${size}px`);
    grid.style.height = `${edge.head + view.rows.length * edge.row}px`;
    grid.style.width = `${side + widthOf(0, view.columns.length)}px`;
  }

  /** Where a column begins beside the headers of rows. @type {(column: number) => number} */
  const beginOf = column => begins[column] ?? 0;

  /** How wide the columns from one to before another one are. @type {(begin: number, end: number) => number} */
  const widthOf = (begin, end) => beginOf(end) - beginOf(begin);

  /** The column at a distance from the headers of rows. @type {(distance: number) => number} */
  function columnAt(distance) {
    let least = 0;
    let most = Math.max(0, begins.length - 2);
    while (least < most) {
      const middle = Math.ceil((least + most) / 2);
      if (beginOf(middle) <= distance) least = middle;
      else most = middle - 1;
    }
    return least;
  }

  /** The width that the headers of rows need, at most so many pixels. @type {(most: number) => number} */
  function sideWidth(most) {
    const widths = view.rows.map(row => {
      const { label = '' } = matrix?.data.rows[row] ?? {};
      return Math.ceil(label.length * characterWidth(label) + SIDE.padding);
    });
    return Math.min(
      most,
      widths.reduce((widest, width) => Math.max(widest, width), SIDE.least),
    );
  }

  /**
   * Cuts the labels of rows to the lines that they may have. The height that all rows need for them.
   * @param {number} side
   */
  function sidesIn(side) {
    const most = side < 200 ? SIDE.narrow : SIDE.lines;
    const shown = view.rows.flatMap(row => matrix?.data.rows[row] ?? []);
    const linesOf = (/** @type {string} */ text) =>
      linesNeeded(text, Math.floor((side - SIDE.padding) / characterWidth(text)));
    labels = cutApart([...new Set(shown.map(({ label }) => label))], text => linesOf(text) <= most);
    return shown.reduce((height, { label, members }) => {
      const lines = linesOf(labels.get(label) ?? label) * SIDE.line;
      const size = members.length > 1 ? SIDE.members : 0;
      return Math.max(height, Math.ceil(lines + size + SIDE.edge));
    }, SIZE.row);
  }

  /** How many characters fit into a line of a header of this width. @type {(width: number) => number} */
  const fittingIn = width => Math.floor((width - WITHIN.padding) / WITHIN.character);

  /** How wide each column is: its header and contents have room, and in the header of its network no word is broken. */
  function columnWidths() {
    if (view.columns.length * view.rows.length > MEASURED)
      return view.columns.map(() => SIZE.column);
    const contents = contentWidths();
    const widths = view.columns.map((at, column) =>
      Math.ceil(Math.max(headerWidth(matrix?.data.columns[at]), contents[column] ?? 0)),
    );
    for (const { name, begin, end } of runs) {
      const longest = partsOf(name).reduce((most, { length }) => Math.max(most, length), 0);
      const needed = longest * WITHIN.character + WITHIN.padding;
      const wide = widths.slice(begin, end).reduce((sum, width) => sum + width, 0);
      const more = Math.ceil(Math.max(0, needed - wide) / (end - begin));
      for (let column = begin; column < end; column++)
        widths[column] = (widths[column] ?? 0) + more;
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

  /** By column, the width of its widest cell. */
  function contentWidths() {
    /** @type {Map<number, number>} */
    const known = new Map();
    const widthOfCell = (/** @type {number} */ number) => {
      const verdict = matrix?.data.verdicts[number];
      const chips = verdict === undefined ? [] : chipsOf(verdict);
      return chips.reduce(
        (sum, { text }) => sum + text.length * CHIP.character + CHIP.padding + CHIP.gap,
        CHIP.beside,
      );
    };
    return view.columns.map(column =>
      view.rows.reduce((most, row) => {
        const number = view.isShown(row, column);
        const width = known.get(number) ?? widthOfCell(number);
        known.set(number, width);
        return Math.max(most, width);
      }, 0),
    );
  }

  function runsInView() {
    /** @type {Run[]} */
    const found = [];
    for (const at of view.columns.keys()) {
      const name = withinAt(at);
      const last = found.at(-1);
      if (last?.name === name) last.end = at + 1;
      else found.push({ name, begin: at, end: at + 1 });
    }
    return found;
  }

  function draw(isForced = false) {
    const top = Math.max(0, Math.floor(box.scrollTop / edge.row) - MARGIN);
    const left = Math.max(0, columnAt(box.scrollLeft) - MARGIN);
    const bottom = Math.min(
      view.rows.length,
      Math.ceil((box.scrollTop + box.clientHeight) / edge.row) + MARGIN,
    );
    const right = Math.min(
      view.columns.length,
      columnAt(box.scrollLeft + box.clientWidth) + 1 + MARGIN,
    );
    const part = [top, left, bottom, right, active.row, active.column].join();
    if (part === drawn && !isForced) return;
    drawn = part;
    const hadFocus = grid.contains(document.activeElement);
    const rows = [withinRow(left, right), headRow(left, right)];
    for (let row = top; row < bottom; row++) rows.push(bodyRow(row, left, right));
    grid.replaceChildren(...rows);
    if (hadFocus) focusActive();
  }

  const isActive = (/** @type {number} */ row, /** @type {number} */ column) =>
    active.row === row && active.column === column;

  /** @type {(element: HTMLElement, row: number, column: number) => HTMLElement} */
  function placed(element, row, column) {
    element.tabIndex = isActive(row, column) ? 0 : -1;
    element.dataset.row = String(row);
    element.dataset.column = String(column);
    if (column >= 0) {
      element.style.left = `${edge.side + beginOf(column)}px`;
      element.style.width = `${widthOf(column, column + 1)}px`;
    }
    element.setAttribute('aria-colindex', String(column + 2));
    return element;
  }

  /** What is above the label of a column. @type {(column: number) => string} */
  function withinAt(column) {
    const { within, address } = targetAt(column) ?? {};
    return within ?? (address === undefined ? 'Machines' : 'Other addresses');
  }

  /** @type {(left: number, right: number) => HTMLElement} */
  function withinRow(left, right) {
    const row = make('div', { role: 'row', class: 'within', 'aria-rowindex': 1 });
    row.append(
      make('div', { role: 'columnheader', class: 'corner', 'aria-colindex': 1 }, 'Network'),
    );
    for (const { name, begin, end } of runs) {
      if (end <= left || begin >= right) continue;
      const width = widthOf(begin, end);
      const cell = make('div', {
        role: 'columnheader',
        'aria-colindex': begin + 2,
        'aria-colspan': end - begin,
        title: name,
      });
      cell.style.left = `${edge.side + beginOf(begin)}px`;
      cell.style.width = `${width}px`;
      cell.append(wrappable(shortened(name, WITHIN.lines * fittingIn(width))));
      row.append(cell);
    }
    return row;
  }

  /** @type {(left: number, right: number) => HTMLElement} */
  function headRow(left, right) {
    const row = make('div', { role: 'row', class: 'head', 'aria-rowindex': 2 });
    row.append(
      make('div', { role: 'columnheader', class: 'corner', 'aria-colindex': 1 }, 'From ↓  to →'),
    );
    for (let at = left; at < right; at++) {
      const target = targetAt(at);
      if (target === undefined) continue;
      const { label, address } = target;
      const cell = placed(
        make('div', { role: 'columnheader', class: 'column', title: titleOf(target) }),
        -1,
        at,
      );
      const name = make('div', { class: 'label' });
      name.append(wrappable(shortened(label, HEADER.most)));
      if (address !== undefined && address !== label)
        name.append(wrappable(shortened(address, HEADER.most), 'address'));
      cell.append(name);
      row.append(cell);
    }
    return row;
  }

  /** @type {(at: number, left: number, right: number) => HTMLElement} */
  function bodyRow(at, left, right) {
    const index = view.rows[at] ?? 0;
    const row = make('div', { role: 'row', class: 'row', 'aria-rowindex': at + 3 });
    row.style.top = `${edge.head + at * edge.row}px`;
    row.append(placed(sideCell(sourceAt(at)), at, -1));
    for (let column = left; column < right; column++)
      row.append(placed(contentCell(view.isShown(index, view.columns[column] ?? 0)), at, column));
    return row;
  }

  /** @type {(source: Side | undefined) => HTMLElement} */
  function sideCell(source) {
    const { name = '', label = '', members = [] } = source ?? {};
    const cell = make('div', { role: 'rowheader', class: 'side', title: name });
    cell.append(wrappable(labels.get(label) ?? label, 'label'));
    if (members.length > 1)
      cell.append(make('span', { class: 'size' }, `${members.length} members`));
    return cell;
  }

  /** @type {(number: number) => HTMLElement} */
  function contentCell(number) {
    const verdict = matrix?.data.verdicts[number];
    const text = verdict === undefined ? '' : cellText(verdict);
    const look = verdict === undefined ? 'cell none' : `cell ${lookOf(verdict)}`;
    const cell = make('div', { role: 'gridcell', class: look, title: text || undefined });
    if (verdict === undefined) return cell;
    for (const chip of chipsOf(verdict))
      cell.append(make('span', { class: `chip ${chip.look}`, 'aria-hidden': 'true' }, chip.text));
    cell.append(make('span', { class: 'spoken' }, text));
    return cell;
  }

  function focusActive() {
    const { row, column } = active;
    const cell = grid.querySelector(`[data-row="${row}"][data-column="${column}"]`);
    if (cell instanceof HTMLElement) cell.focus({ preventScroll: true });
  }

  /** @type {(place: Place) => void} */
  function moveTo({ row, column }) {
    active = {
      row: Math.max(-1, Math.min(view.rows.length - 1, row)),
      column: Math.max(-1, Math.min(view.columns.length - 1, column)),
    };
    if (active.row < 0 && active.column < 0) active = { row: -1, column: 0 };
    if (active.row >= 0) {
      const top = active.row * edge.row;
      const room = box.clientHeight - edge.head - edge.row;
      box.scrollTop = Math.min(top, Math.max(box.scrollTop, top - room));
    }
    if (active.column >= 0) {
      const left = beginOf(active.column);
      const room = box.clientWidth - edge.side - widthOf(active.column, active.column + 1);
      box.scrollLeft = Math.min(left, Math.max(box.scrollLeft, left - room));
    }
    draw(true);
    focusActive();
  }

  grid.addEventListener('keydown', event => {
    const { row, column } = active;
    const page = Math.max(1, Math.floor((box.clientHeight - edge.head) / edge.row) - 1);
    /** @type {Record<string, Place>} */
    const moves = {
      ArrowUp: { row: row - 1, column },
      ArrowDown: { row: row + 1, column },
      ArrowLeft: { row, column: column - 1 },
      ArrowRight: { row, column: column + 1 },
      PageUp: { row: row - page, column },
      PageDown: { row: row + page, column },
      Home: { row, column: 0 },
      End: { row, column: view.columns.length - 1 },
    };
    const move = moves[event.key];
    if (move) moveTo(move);
    else if (event.key === 'Enter' || event.key === ' ') onChosen(chosen(active));
    else return;
    event.preventDefault();
  });
  grid.addEventListener('click', event => {
    const cell = event.target instanceof Element ? event.target.closest('[data-row]') : null;
    if (!(cell instanceof HTMLElement)) return;
    active = { row: Number(cell.dataset.row), column: Number(cell.dataset.column) };
    draw(true);
    focusActive();
    onChosen(chosen(active));
  });
  box.addEventListener('scroll', () => draw(), { passive: true });
  const redraw = () => {
    measure();
    draw(true);
  };
  addEventListener('resize', redraw, { signal: viewsEnd });
  document.addEventListener('viewchange', redraw, { signal: viewsEnd });

  return {
    /**
     * @param {Matrix} of
     * @param {View} next
     */
    show(of, next) {
      matrix = of;
      view = next;
      active = { row: 0, column: view.rows.length > 0 ? 0 : -1 };
      grid.setAttribute('aria-rowcount', String(view.rows.length + 2));
      grid.setAttribute('aria-colcount', String(view.columns.length + 1));
      box.hidden = view.rows.length === 0 || view.columns.length === 0;
      box.scrollTop = 0;
      box.scrollLeft = 0;
      measure();
      draw(true);
    },
  };
}
