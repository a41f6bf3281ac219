// The elements of the matrix: its headers, and its visible rows.

import { make } from './elements.js';
import { beginOf, HEADER, headHeight, networkShown, widthOf } from './gridLayout.js';
import { cellText, chipsOf, lookOf, titleOf } from './matrix.js';
import { shortened, wrappable } from './wrapping.js';

/**
 * @typedef {import('./matrix.js').Matrix} Matrix
 * @typedef {import('./matrix.js').Side} Side
 * @typedef {import('./matrix.js').View} View
 * @typedef {{ row: number, column: number }} Place -1 is the header; places are those of the view
 * @typedef {{ matrix: Matrix, view: View, layout: import('./gridLayout.js').Layout, active: Place }} ShownGrid
 * @typedef {{ top: number, bottom: number, left: number, right: number }} Part the first rows and columns, and those after the last ones
 */

/** The headers, and the rows of a part of a grid. @type {(shown: ShownGrid, part: Part) => HTMLElement[]} */
export function gridRows(shown, part) {
  const rows = [networkRow(shown, part), headRow(shown, part)];
  for (let row = part.top; row < part.bottom; row++) rows.push(bodyRow(shown, row, part));
  return rows;
}

/** Puts a cell at its place. @type {(shown: ShownGrid, element: HTMLElement, place: Place) => HTMLElement} */
function placed({ layout, active }, element, { row, column }) {
  element.tabIndex = active.row === row && active.column === column ? 0 : -1;
  element.dataset.row = String(row);
  element.dataset.column = String(column);
  if (column >= 0) {
    element.style.left = `${layout.side + beginOf(layout, column)}px`;
    element.style.width = `${widthOf(layout, column, column + 1)}px`;
  }
  element.setAttribute('aria-colindex', String(column + 2));
  return element;
}

/** @type {(text: string) => HTMLElement} */
const cornerCell = text =>
  make('div', { role: 'columnheader', class: 'corner', 'aria-colindex': 1 }, text);

/** @type {(shown: ShownGrid, part: Part) => HTMLElement} */
function networkRow({ layout }, { left, right }) {
  const row = make('div', { role: 'row', class: 'within', 'aria-rowindex': 1 });
  row.append(cornerCell('Network'));
  for (const { name, begin, end } of layout.runs) {
    if (end <= left || begin >= right) continue;
    const width = widthOf(layout, begin, end);
    const cell = make('div', {
      role: 'columnheader',
      'aria-colindex': begin + 2,
      'aria-colspan': end - begin,
      title: name,
    });
    cell.style.left = `${layout.side + beginOf(layout, begin)}px`;
    cell.style.width = `${width}px`;
    cell.append(wrappable(networkShown(name, width)));
    row.append(cell);
  }
  return row;
}

/** @type {(shown: ShownGrid, part: Part) => HTMLElement} */
function headRow(shown, { left, right }) {
  const { matrix, view } = shown;
  const row = make('div', { role: 'row', class: 'head', 'aria-rowindex': 2 });
  row.append(cornerCell('From ↓  to →'));
  for (let column = left; column < right; column++) {
    const target = matrix.data.columns[view.columns[column] ?? -1];
    if (target !== undefined) row.append(placed(shown, headCell(target), { row: -1, column }));
  }
  return row;
}

/** @type {(target: Side) => HTMLElement} */
function headCell(target) {
  const { label, address } = target;
  const cell = make('div', {
    role: 'columnheader',
    class: 'column',
    title: titleOf(target),
    'aria-description': 'Choose it to see who reaches it',
  });
  const name = make('div', { class: 'label' });
  name.append(wrappable(shortened(label, HEADER.most)));
  if (address !== undefined && address !== label)
    name.append(wrappable(shortened(address, HEADER.most), 'address'));
  cell.append(name);
  return cell;
}

/** @type {(shown: ShownGrid, row: number, part: Part) => HTMLElement} */
function bodyRow(shown, row, { left, right }) {
  const { matrix, view, layout } = shown;
  const index = view.rows[row] ?? 0;
  const body = make('div', { role: 'row', class: 'row', 'aria-rowindex': row + 3 });
  body.style.top = `${headHeight(layout) + row * layout.row}px`;
  const side = sideCell(matrix.data.rows[view.rows[row] ?? -1], layout.labels);
  body.append(placed(shown, side, { row, column: -1 }));
  for (let column = left; column < right; column++) {
    const cell = contentCell(matrix, view.isShown(index, view.columns[column] ?? 0));
    body.append(placed(shown, cell, { row, column }));
  }
  return body;
}

/** @type {(source: Side | undefined, labels: Map<string, string>) => HTMLElement} */
function sideCell(source, labels) {
  const { name = '', label = '', members = [] } = source ?? {};
  const cell = make('div', {
    role: 'rowheader',
    class: 'side',
    title: name,
    'aria-description': 'Choose it to see what it reaches',
  });
  cell.append(wrappable(labels.get(label) ?? label, 'label'));
  if (members.length > 1) cell.append(make('span', { class: 'size' }, `${members.length} members`));
  return cell;
}

/** @type {(matrix: Matrix, number: number) => HTMLElement} */
function contentCell(matrix, number) {
  const verdict = matrix.data.verdicts[number];
  const text = verdict === undefined ? '' : cellText(verdict);
  const look = verdict === undefined ? 'cell none' : `cell ${lookOf(verdict)}`;
  const cell = make('div', { role: 'gridcell', class: look, title: text || undefined });
  if (verdict === undefined) return cell;
  for (const chip of chipsOf(verdict))
    cell.append(make('span', { class: `chip ${chip.look}`, 'aria-hidden': 'true' }, chip.text));
  cell.append(make('span', { class: 'spoken' }, text));
  return cell;
}
