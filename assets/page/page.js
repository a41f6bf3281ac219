// Fills the part of a page about who reaches what: filter, matrix, details, list, download.

import { gridIn, make } from './grid.js';
import { cellText, csvOf, matrixOf, pairsOf } from './matrix.js';

/**
 * @typedef {import('./matrix.js').Side} Side
 * @typedef {import('./matrix.js').View} View
 */

/** @type {(id: string) => HTMLElement} */
const byId = id => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no ${id}`);
  return found;
};

const matrix = matrixOf(JSON.parse(byId('data').textContent ?? ''));
const { data } = matrix;
const FIELDS = ['from', 'to', 'ports', 'because', 'status', 'empty'];
const list = byId('list');
const grid = gridIn(byId('matrix'), matrix, showDetails);
/** @type {View} */
let view;

/** @type {(id: string) => HTMLInputElement} */
const field = id => /** @type {HTMLInputElement} */ (byId(id));

function apply() {
  const text = (/** @type {string} */ id) => field(id).value;
  view = matrix.view({
    from: text('from'),
    to: text('to'),
    ports: text('ports'),
    because: text('because'),
    status: text('status'),
    empty: field('empty').checked,
  });
  grid.show(view);
  byId('details').replaceChildren();
  const { rows, columns, pairs } = view;
  byId('count').textContent =
    `${pairs} of the pairs match: ${rows.length} of ${data.rows.length} sources, ` +
    `${columns.length} of ${data.columns.length} destinations.`;
  if (isListOpen()) showList(LISTED);
}

const isListOpen = () => list.hasAttribute('open');

/** How many pairs the list begins with, and what paper has room for. */
const LISTED = 200;
const PRINTED = 1000;

/** @type {(most: number) => void} */
function showList(most) {
  const body = make('tbody', {});
  let shown = 0;
  for (const [from, to, verdict] of pairsOf(data, view)) {
    if (shown++ >= most) break;
    const row = make('tr', {});
    row.append(make('th', { scope: 'row' }, from.name), make('td', {}, titleOf(to)));
    row.append(make('td', {}, cellText(verdict)), make('td', {}, verdict.because.join('; ')));
    body.append(row);
  }
  const head = make('tr', {});
  for (const text of ['From', 'To', 'Ports', 'Because'])
    head.append(make('th', { scope: 'col' }, text));
  const table = make('table', {});
  const heads = make('thead', {});
  heads.append(head);
  table.append(make('caption', {}, 'Who reaches what'), heads, body);
  byId('pairs').replaceChildren(table, ...more(most));
}

/** @type {(most: number) => HTMLElement[]} */
function more(most) {
  if (view.pairs <= most) return [];
  const text = `${view.pairs - most} more pairs: narrow the filter, or download the CSV.`;
  const button = make('button', { type: 'button' }, 'Show more');
  button.addEventListener('click', () => showList(most * 5));
  const line = make('p', {}, `${text} `);
  line.append(button);
  return [line];
}

/** @type {(side: Side) => string} */
const titleOf = ({ name, address }) => (address === undefined ? name : `${name} ${address}`);

/** @param {{ row?: number, column?: number }} place */
function showDetails({ row, column }) {
  const source = row === undefined ? undefined : data.rows[row];
  const target = column === undefined ? undefined : data.columns[column];
  const parts = [
    make('h3', {}, [source, target].flatMap(one => (one ? titleOf(one) : [])).join(' → ')),
  ];
  if (row !== undefined && column !== undefined)
    parts.push(...verdictParts(matrix.at(row, column)));
  if (source) parts.push(sideList('From', source));
  if (target && target.members.length > 0) parts.push(sideList('To', target));
  byId('details').replaceChildren(...parts);
}

/** @type {(number: number) => HTMLElement[]} */
function verdictParts(number) {
  const verdict = data.verdicts[number];
  if (verdict === undefined) return [make('p', {}, 'No access: no rule speaks of it.')];
  return [make('p', {}, cellText(verdict)), listOf(verdict.because)];
}

/** @type {(title: string, side: Side) => HTMLElement} */
function sideList(title, { members, groups }) {
  const part = make('div', {});
  part.append(
    make('h4', {}, `${title}: ${members.length} ${members.length === 1 ? 'member' : 'members'}`),
  );
  if (groups.length > 0) part.append(make('p', {}, `in ${groups.join(', ')}`));
  part.append(listOf(members.map(at => memberText(data.members[at] ?? ''))));
  return part;
}

/** @type {(name: string) => string} */
const memberText = name => (/^peer[/[]/.test(name) ? name : `future members of ${name}`);

/** @type {(texts: string[]) => HTMLElement} */
function listOf(texts) {
  const items = make('ul', {});
  for (const text of texts) items.append(make('li', {}, text));
  return items;
}

function download() {
  const url = URL.createObjectURL(new Blob([csvOf(matrix, view)], { type: 'text/csv' }));
  const link = make('a', { href: url, download: 'access.csv' });
  document.body.append(link);
  link.click();
  link.remove();
  URL.revokeObjectURL(url);
}

for (const id of FIELDS) byId(id).addEventListener('input', apply);
byId('csv').addEventListener('click', download);
byId('reset').addEventListener('click', () => {
  for (const id of FIELDS) field(id).value = '';
  field('empty').checked = false;
  apply();
});
list.addEventListener('toggle', () => {
  if (isListOpen()) showList(LISTED);
});
// On paper there is nothing to scroll or to open.
addEventListener('beforeprint', () => {
  for (const part of document.querySelectorAll('details:not(figure *)'))
    part.setAttribute('open', '');
  showList(PRINTED);
});
apply();
