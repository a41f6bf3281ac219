// The matrix on the page: a grid of which only the part in sight exists, so that its size does not matter.

import { cellText } from './matrix.js';

/** In pixels, as the style of the page has them. */
const SIZE = { row: 28, column: 104, head: 150, side: 250 };
/** How many rows and columns beyond the part in sight are there already. */
const MARGIN = 3;

/**
 * @typedef {import('./matrix.js').Matrix} Matrix
 * @typedef {import('./matrix.js').View} View
 * @typedef {{ row: number, column: number }} Place -1 is the header; places are those of the view
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

/**
 * A grid in `box`.
 * @param {HTMLElement} box
 * @param {Matrix} matrix
 * @param {(place: { row?: number, column?: number }) => void} onChosen is given the row and column of the matrix
 */
export function gridIn(box, matrix, onChosen) {
  /** @type {View} */
  let view = { rows: [], columns: [], pairs: 0, isShown: () => -1 };
  /** @type {Place} */
  let active = { row: 0, column: 0 };
  let drawn = '';
  const grid = make('div', { role: 'grid', 'aria-label': 'Who reaches what', class: 'grid' });
  box.replaceChildren(grid);

  const chosen = (/** @type {Place} */ { row, column }) => ({
    ...(row >= 0 && { row: view.rows[row] ?? 0 }),
    ...(column >= 0 && { column: view.columns[column] ?? 0 }),
  });

  function draw(isForced = false) {
    const top = Math.max(0, Math.floor(box.scrollTop / SIZE.row) - MARGIN);
    const left = Math.max(0, Math.floor(box.scrollLeft / SIZE.column) - MARGIN);
    const bottom = Math.min(
      view.rows.length,
      Math.ceil((box.scrollTop + box.clientHeight) / SIZE.row) + MARGIN,
    );
    const right = Math.min(
      view.columns.length,
      Math.ceil((box.scrollLeft + box.clientWidth) / SIZE.column) + MARGIN,
    );
    const part = [top, left, bottom, right, active.row, active.column].join();
    if (part === drawn && !isForced) return;
    drawn = part;
    const hadFocus = grid.contains(document.activeElement);
    const rows = [headRow(left, right)];
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
    if (column >= 0) element.style.left = `${SIZE.side + column * SIZE.column}px`;
    element.setAttribute('aria-colindex', String(column + 2));
    return element;
  }

  /** @type {(left: number, right: number) => HTMLElement} */
  function headRow(left, right) {
    const row = make('div', { role: 'row', class: 'head', 'aria-rowindex': 1 });
    row.append(
      make('div', { role: 'columnheader', class: 'corner', 'aria-colindex': 1 }, 'from ↓   to →'),
    );
    for (let at = left; at < right; at++) {
      const { name = '', address } = matrix.data.columns[view.columns[at] ?? 0] ?? {};
      const cell = placed(make('div', { role: 'columnheader', class: 'column' }), -1, at);
      cell.append(make('span', {}, name));
      if (address !== undefined) cell.append(make('span', { class: 'address' }, address));
      cell.title = address === undefined ? name : `${name} ${address}`;
      row.append(cell);
    }
    return row;
  }

  /** @type {(at: number, left: number, right: number) => HTMLElement} */
  function bodyRow(at, left, right) {
    const index = view.rows[at] ?? 0;
    const { name = '' } = matrix.data.rows[index] ?? {};
    const row = make('div', { role: 'row', class: 'row', 'aria-rowindex': at + 2 });
    row.style.top = `${SIZE.head + at * SIZE.row}px`;
    const header = placed(
      make('div', { role: 'rowheader', class: 'side', title: name }, name),
      at,
      -1,
    );
    row.append(header);
    for (let column = left; column < right; column++) {
      const verdict = matrix.data.verdicts[view.isShown(index, view.columns[column] ?? 0)];
      const look = verdict === undefined ? 'cell none' : `cell ${verdict.status}`;
      const text = verdict === undefined ? '' : cellText(verdict);
      row.append(
        placed(make('div', { role: 'gridcell', class: look, title: text }, text), at, column),
      );
    }
    return row;
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
      const top = active.row * SIZE.row;
      const room = box.clientHeight - SIZE.head - SIZE.row;
      box.scrollTop = Math.min(top, Math.max(box.scrollTop, top - room));
    }
    if (active.column >= 0) {
      const left = active.column * SIZE.column;
      const room = box.clientWidth - SIZE.side - SIZE.column;
      box.scrollLeft = Math.min(left, Math.max(box.scrollLeft, left - room));
    }
    draw(true);
    focusActive();
  }

  grid.addEventListener('keydown', event => {
    const { row, column } = active;
    const page = Math.max(1, Math.floor((box.clientHeight - SIZE.head) / SIZE.row) - 1);
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
  addEventListener('resize', () => draw());

  return {
    /** @param {View} next */
    show(next) {
      view = next;
      active = { row: 0, column: view.rows.length > 0 ? 0 : -1 };
      grid.setAttribute('aria-rowcount', String(view.rows.length + 1));
      grid.setAttribute('aria-colcount', String(view.columns.length + 1));
      grid.style.height = `${SIZE.head + view.rows.length * SIZE.row}px`;
      grid.style.width = `${SIZE.side + view.columns.length * SIZE.column}px`;
      box.hidden = view.rows.length === 0 || view.columns.length === 0;
      box.scrollTop = 0;
      box.scrollLeft = 0;
      draw(true);
    },
  };
}
