// The matrix on the page. Only the visible part of the grid exists as elements, so that large matrices are fast too.

import { make } from './elements.js';
import { gridRows } from './gridCells.js';
import { beginOf, columnAt, headHeight, layoutOf, widthOf } from './gridLayout.js';
import { viewsEnd } from './viewsEnd.js';

/** The number of rows and columns that exist beyond each edge of the visible part. */
const MARGIN = 3;

/**
 * @typedef {import('./matrix.js').Matrix} Matrix
 * @typedef {import('./matrix.js').View} View
 * @typedef {import('./gridLayout.js').Layout} Layout
 * @typedef {import('./gridCells.js').Place} Place
 * @typedef {import('./gridCells.js').Part} Part
 * @typedef {import('./gridCells.js').ShownGrid} ShownGrid
 */

/** A grid in a box, with one active cell. */
export class Grid {
  #box;
  #grid = make('div', { role: 'grid', 'aria-label': 'Who reaches what', class: 'grid' });
  #onChosen;
  /** @type {ShownGrid | undefined} */
  #shown;
  /** The part that exists as elements, and its active cell, as a text. */
  #drawn = '';

  /**
   * @param {HTMLElement} box
   * @param {(place: { row?: number, column?: number }) => void} onChosen is given the row and column of the matrix
   */
  constructor(box, onChosen) {
    this.#box = box;
    this.#onChosen = onChosen;
    box.replaceChildren(this.#grid);
    this.#grid.addEventListener('keydown', event => this.#pressed(event));
    this.#grid.addEventListener('click', event => this.#clicked(event));
    box.addEventListener('scroll', () => this.#draw(), { passive: true });
    addEventListener('resize', () => this.#layOutAgain(), { signal: viewsEnd });
    document.addEventListener('viewchange', () => this.#layOutAgain(), { signal: viewsEnd });
  }

  /** @type {(matrix: Matrix, view: View) => void} */
  show(matrix, view) {
    const box = this.#box;
    // The sizes that are read below would lay out the former cells once more.
    this.#grid.replaceChildren();
    this.#grid.setAttribute('aria-rowcount', String(view.rows.length + 2));
    this.#grid.setAttribute('aria-colcount', String(view.columns.length + 1));
    box.hidden = view.rows.length === 0 || view.columns.length === 0;
    box.scrollTop = 0;
    box.scrollLeft = 0;
    this.#layOut({ matrix, view, active: { row: 0, column: view.rows.length > 0 ? 0 : -1 } });
  }

  /** Draws the grid for the present size of its box. @type {(shown: Omit<ShownGrid, 'layout'>) => void} */
  #layOut({ matrix, view, active }) {
    const layout = layoutOf(matrix, view, this.#box.parentElement?.clientWidth ?? 0);
    const { side, within, heads, row } = layout;
    const { style } = this.#grid;
    for (const [name, size] of Object.entries({ side, labels: heads, within, row }))
      style.setProperty(`--${name}`, `${size}px`);
    style.height = `${headHeight(layout) + view.rows.length * row}px`;
    style.width = `${side + widthOf(layout, 0, view.columns.length)}px`;
    this.#shown = { matrix, view, active, layout };
    this.#draw(true);
  }

  #layOutAgain() {
    if (this.#shown) this.#layOut(this.#shown);
  }

  #draw(isForced = false) {
    if (!this.#shown) return;
    const { active } = this.#shown;
    const part = partInSight(this.#box, this.#shown);
    const drawn = [...Object.values(part), active.row, active.column].join();
    if (drawn === this.#drawn && !isForced) return;
    this.#drawn = drawn;
    const hadFocus = this.#grid.contains(document.activeElement);
    this.#grid.replaceChildren(...gridRows(this.#shown, part));
    if (hadFocus) this.#focusActive();
  }

  #focusActive() {
    const { row, column } = this.#shown?.active ?? {};
    const cell = this.#grid.querySelector(`[data-row="${row}"][data-column="${column}"]`);
    if (cell instanceof HTMLElement) cell.focus({ preventScroll: true });
  }

  /** @type {(active: Place) => void} */
  #activate(active) {
    if (!this.#shown) return;
    this.#shown = { ...this.#shown, active };
    this.#draw(true);
    this.#focusActive();
  }

  /** Makes the cell at a place, or the nearest cell, active, and scrolls to it. @type {(place: Place) => void} */
  #moveTo(place) {
    if (!this.#shown) return;
    const active = placeWithin(this.#shown.view, place);
    bringIntoSight(this.#box, this.#shown.layout, active);
    this.#activate(active);
  }

  #choose() {
    const { view, active } = this.#shown ?? {};
    if (!view || !active) return;
    this.#onChosen({
      ...(active.row >= 0 && { row: view.rows[active.row] ?? 0 }),
      ...(active.column >= 0 && { column: view.columns[active.column] ?? 0 }),
    });
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (!this.#shown) return;
    const { layout } = this.#shown;
    const page = Math.floor((this.#box.clientHeight - headHeight(layout)) / layout.row) - 1;
    const move = placeAfterKey(event.key, this.#shown, Math.max(1, page));
    if (move) this.#moveTo(move);
    else if (event.key === 'Enter' || event.key === ' ') this.#choose();
    else return;
    event.preventDefault();
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const cell = event.target instanceof Element ? event.target.closest('[data-row]') : null;
    if (!(cell instanceof HTMLElement)) return;
    this.#activate({ row: Number(cell.dataset.row), column: Number(cell.dataset.column) });
    this.#choose();
  }
}

/** The visible rows and columns, and some around them. @type {(box: HTMLElement, shown: ShownGrid) => Part} */
function partInSight({ scrollTop, scrollLeft, clientHeight, clientWidth }, { view, layout }) {
  const last = Math.ceil((scrollTop + clientHeight) / layout.row);
  const lastColumn = columnAt(layout, scrollLeft + clientWidth) + 1;
  return {
    top: Math.max(0, Math.floor(scrollTop / layout.row) - MARGIN),
    left: Math.max(0, columnAt(layout, scrollLeft) - MARGIN),
    bottom: Math.min(view.rows.length, last + MARGIN),
    right: Math.min(view.columns.length, lastColumn + MARGIN),
  };
}

/** The place in a view that is nearest to a place; never the corner. @type {(view: View, place: Place) => Place} */
function placeWithin(view, place) {
  const row = Math.max(-1, Math.min(view.rows.length - 1, place.row));
  const column = Math.max(-1, Math.min(view.columns.length - 1, place.column));
  return row < 0 && column < 0 ? { row: -1, column: 0 } : { row, column };
}

/** Scrolls a box until the cell at a place is visible. @type {(box: HTMLElement, layout: Layout, place: Place) => void} */
function bringIntoSight(box, layout, { row, column }) {
  if (row >= 0) {
    const top = row * layout.row;
    const room = box.clientHeight - headHeight(layout) - layout.row;
    box.scrollTop = Math.min(top, Math.max(box.scrollTop, top - room));
  }
  if (column >= 0) {
    const left = beginOf(layout, column);
    const room = box.clientWidth - layout.side - widthOf(layout, column, column + 1);
    box.scrollLeft = Math.min(left, Math.max(box.scrollLeft, left - room));
  }
}

/**
 * The place to which a key leads from the active cell; undefined for a key that leads nowhere.
 * @param {string} key
 * @param {ShownGrid} shown
 * @param {number} page how many rows a page has
 * @returns {Place | undefined}
 */
function placeAfterKey(key, { view, active: { row, column } }, page) {
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
  return moves[key];
}
