// Controls the part of a page about who reaches what: filter, matrix, details, list, download.

import { make } from './elements.js';
import { Grid } from './grid.js';
import { List } from './list.js';
import { cellText, csvOf, emptyHint, hasAccess, matrixOf, titleOf } from './matrix.js';
import { ranksOf } from './order.js';
import { viewsEnd } from './viewsEnd.js';

/**
 * @typedef {import('./matrix.js').Data} Data
 * @typedef {import('./matrix.js').Matrix} Matrix
 * @typedef {import('./matrix.js').Side} Side
 * @typedef {import('./matrix.js').Verdict} Verdict
 * @typedef {import('./matrix.js').View} View
 */

/** @type {(id: string) => HTMLElement} */
const byId = id => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no ${id}`);
  return found;
};

/** @type {Data} */
const data = JSON.parse(byId('data').textContent ?? '').matrix;
const FIELDS = ['from', 'to', 'ports', 'because', 'status', 'empty', 'sort'];
const grid = new Grid(byId('grid'), showDetails);
const list = new List(byId('pairs'));
/** @type {Map<string, Matrix>} */
const matrices = new Map();
/** @type {Map<string, import('./order.js').Ranks>} */
const orders = new Map();
/** @type {Matrix} */
let matrix;
/** @type {View} */
let view;

/** @type {(id: string) => HTMLInputElement} */
const field = id => /** @type {HTMLInputElement} */ (byId(id));

/**
 * The matrix of the state that the page shows.
 * @type {() => Matrix}
 */
function matrixShown() {
  const state = document.documentElement.dataset.state ?? 'after';
  const found = matrices.get(state) ?? matrixOf(data, state);
  matrices.set(state, found);
  return found;
}

/** @type {(view: View) => View} */
function sorted({ rows, columns, ...rest }) {
  const name = `${document.documentElement.dataset.state} ${field('sort').value}`;
  const ranks = orders.get(name) ?? ranksOf(matrix, field('sort').value);
  orders.set(name, ranks);
  const by =
    (/** @type {Int32Array} */ of) => (/** @type {number} */ one, /** @type {number} */ other) =>
      (of[one] ?? 0) - (of[other] ?? 0);
  return { ...rest, rows: rows.sort(by(ranks.rows)), columns: columns.sort(by(ranks.columns)) };
}

function apply() {
  const text = (/** @type {string} */ id) => field(id).value;
  matrix = matrixShown();
  const filter = {
    from: text('from'),
    to: text('to'),
    ports: text('ports'),
    because: text('because'),
    status: text('status'),
    empty: field('empty').checked,
  };
  view = sorted(matrix.view(filter));
  grid.show(matrix, view);
  byId('details').replaceChildren();
  const { rows, columns, pairs } = view;
  byId('count').textContent =
    `${pairs} of the pairs match: ${rows.length} of ${data.rows.length} sources, ` +
    `${columns.length} of ${data.columns.length} destinations. ${emptyHint(matrix, filter, view)}`.trim();
  list.show(matrix, view);
}

/** @param {{ row?: number, column?: number }} place */
function showDetails({ row, column }) {
  byId('grid-hint').hidden = true;
  const source = row === undefined ? undefined : data.rows[row];
  const target = column === undefined ? undefined : data.columns[column];
  const parts = [
    make('h3', {}, [source, target].flatMap(one => (one ? titleOf(one) : [])).join(' → ')),
  ];
  if (row !== undefined && column !== undefined)
    parts.push(...verdictParts(matrix.at(row, column)));
  else if (column !== undefined)
    parts.push(
      ...accessLists('Who reaches it', view.rows, at => [matrix.at(at, column), data.rows[at]]),
    );
  else if (row !== undefined)
    parts.push(
      ...accessLists('What it reaches', view.columns, at => [matrix.at(row, at), data.columns[at]]),
    );
  if (source) parts.push(sideList('From', source));
  if (target && target.members.length > 0) parts.push(sideList('To', target));
  byId('details').replaceChildren(...parts);
  byId('details').scrollIntoView({ block: 'nearest' });
}

/**
 * The access of a row to each column, or to a column from each row, with one line for each. Pairs without access are listed
 * separately.
 * @param {string} title
 * @param {number[]} places
 * @param {(at: number) => [number, Side | undefined]} pairAt
 */
function accessLists(title, places, pairAt) {
  const pairs = places.flatMap(at => {
    const [number, side] = pairAt(at);
    const verdict = matrix.data.verdicts[number];
    return verdict && side ? [{ verdict, text: `${titleOf(side)}: ${cellText(verdict)}` }] : [];
  });
  const [reached, blocked] = [true, false].map(isReached =>
    pairs.flatMap(({ verdict, text }) => (hasAccess(verdict) === isReached ? text : [])),
  );
  const nobody = make('p', {}, 'Nobody has access.');
  return [
    headed(title, reached ?? [], nobody),
    ...(blocked && blocked.length > 0 ? [headed('No access, although named', blocked)] : []),
  ];
}

/** @type {(title: string, lines: string[], otherwise?: HTMLElement) => HTMLElement} */
function headed(title, lines, otherwise) {
  const part = make('div', {});
  part.append(
    make('h4', {}, `${title} (${lines.length})`),
    lines.length === 0 && otherwise ? otherwise : listOf(lines),
  );
  return part;
}

/** @type {(number: number) => HTMLElement[]} */
function verdictParts(number) {
  const verdict = matrix.data.verdicts[number];
  if (verdict === undefined)
    return [make('p', {}, 'No access, not even ping: no rule names this pair.')];
  return [
    make('p', {}, cellText(verdict)),
    ...(verdict.status === 'around'
      ? [make('p', {}, 'No rule names this pair. Its address is reached in another way:')]
      : []),
    listOf(verdict.because),
    ...(isWithoutPing(verdict)
      ? [make('p', {}, 'Everything else is closed, and so is ping (ICMP): no rule here allows it.')]
      : []),
  ];
}

/** @type {(verdict: Verdict) => boolean} */
const isWithoutPing = ({ status, ports, around = [] }) =>
  status !== 'blocked' &&
  ![...ports, ...around].some(port => port === '*' || port.startsWith('icmp'));

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
  const { state } = document.documentElement.dataset;
  const isCompared = document.getElementById('states') !== null;
  const name = isCompared ? `access-${state}.csv` : 'access.csv';
  const link = make('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  URL.revokeObjectURL(url);
}

for (const id of FIELDS) byId(id).addEventListener('input', apply);
byId('csv').addEventListener('click', download);
byId('reset').addEventListener('click', () => {
  for (const id of FIELDS) if (id !== 'sort') field(id).value = '';
  field('empty').checked = false;
  apply();
});
// Shows the difference first if the plan changes something, and otherwise the present state.
function showState() {
  const isDifference = document.documentElement.dataset.state === 'difference';
  const hasChanges =
    isDifference && matrixShown().data.verdicts.some(({ difference }) => difference !== undefined);
  field('status').value = hasChanges ? 'changed' : '';
  apply();
}
document.addEventListener('statechange', showState, { signal: viewsEnd });
// Opens all parts before printing, because paper cannot be scrolled or opened.
function openEverything() {
  list.finish();
  for (const part of document.querySelectorAll('details:not(figure *)'))
    part.setAttribute('open', '');
}
addEventListener('beforeprint', openEverything, { signal: viewsEnd });
showState();
