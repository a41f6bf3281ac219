// The matrix as a table: for the search of the browser, for screen readers and for paper, which need what cannot be seen without scrolling.

import { make, titleOf } from './grid.js';
import { cellText, lookOf } from './matrix.js';

/** How many lines are added at a time. In between the page answers; each part is a table of its own, laid out once it is in sight. */
const PART = 500;
/** In ms: how long the list waits for the next key in a filter, and how long the page may answer between two parts. */
const PAUSE = { first: 150, next: 20 };
/** How many characters the list has without being asked: browsers become slow with every name of the largest matrices. */
const MOST_TEXT = 4_000_000;
/** How many destinations of a line are in sight, before the others are unfolded. */
const NAMED = 24;

/**
 * @typedef {import('./matrix.js').Matrix} Matrix
 * @typedef {import('./matrix.js').Side} Side
 * @typedef {import('./matrix.js').Verdict} Verdict
 * @typedef {import('./matrix.js').View} View
 * @typedef {{ from: Side, to: Side[], verdict: Verdict }} Line
 */

/**
 * Sources with what they have in common toward destinations: a line for each content of the cells of a row.
 * @param {Matrix} matrix
 * @param {View} view
 * @returns {Generator<Line>}
 */
function* listLines({ data }, view) {
  for (const row of view.rows) {
    const from = data.rows[row];
    const targets = Map.groupBy(view.columns, column => view.isShown(row, column));
    for (const [number, columns] of targets) {
      const verdict = data.verdicts[number];
      const to = columns.flatMap(column => data.columns[column] ?? []);
      if (verdict && from) yield { from, to, verdict };
    }
  }
}

/** @type {(line: Line) => HTMLElement} */
function listRow({ from, to, verdict }) {
  const row = make('tr', { class: verdict.difference && lookOf(verdict) });
  const targets = make('td', {});
  targets.append(...targetParts(to));
  row.append(make('th', { scope: 'row' }, from.name), targets);
  row.append(make('td', {}, cellText(verdict)), make('td', {}, verdict.because.join('; ')));
  return row;
}

/** @type {(targets: Side[]) => (string | HTMLElement)[]} */
function targetParts(targets) {
  const names = targets.map(titleOf);
  if (names.length <= NAMED) return [names.join(', ')];
  const rest = make('details', {});
  rest.append(
    make('summary', {}, `and ${names.length - NAMED} more`),
    make('span', {}, names.slice(NAMED).join(', ')),
  );
  return [names.slice(0, NAMED).join(', '), rest];
}

/** @type {(rows: HTMLElement[], begin: number) => HTMLElement} */
function listTable(rows, begin) {
  const head = make('tr', {});
  for (const text of ['From', 'To', 'Ports', 'Because'])
    head.append(make('th', { scope: 'col' }, text));
  const heads = make('thead', {});
  heads.append(head);
  const body = make('tbody', {});
  body.append(...rows);
  const title = begin === 0 ? 'Who reaches what' : `Who reaches what, from line ${begin + 1}`;
  const table = make('table', {});
  table.append(make('caption', {}, title), heads, body);
  const part = make('div', { class: 'part' });
  part.append(table);
  return part;
}

/**
 * A list in `box`. `show` begins it anew, one part after another; `finish` adds the other parts at once.
 * @param {HTMLElement} box
 */
export function listIn(box) {
  /** @type {Generator<Line> | undefined} */
  let lines;
  let count = 0;
  let room = MOST_TEXT;
  let waiting = 0;

  /** Adds a part; false if there are no more lines, or no more room. */
  function addPart() {
    /** @type {HTMLElement[]} */
    const rows = [];
    let isEnded = false;
    while (!isEnded && rows.length < PART && room > 0) {
      const next = lines?.next();
      isEnded = next === undefined || next.done === true;
      if (next === undefined || next.done) continue;
      const row = listRow(next.value);
      room -= row.textContent?.length ?? 0;
      rows.push(row);
    }
    if (rows.length > 0) box.append(listTable(rows, count));
    count += rows.length;
    if (!isEnded && room <= 0) box.append(moreLines());
    return !isEnded && room > 0;
  }

  /** @type {() => HTMLElement} */
  function moreLines() {
    const button = make('button', { type: 'button' }, 'Show more');
    const line = make('p', {}, `These are the first ${count} lines. The CSV has all of them. `);
    button.addEventListener('click', () => {
      line.remove();
      room = MOST_TEXT;
      addParts();
    });
    line.append(button);
    return line;
  }

  function addParts() {
    if (addPart()) waiting = setTimeout(addParts, PAUSE.next);
  }

  function begin() {
    box.replaceChildren();
    addParts();
  }

  return {
    /** @type {(matrix: Matrix, view: View) => void} */
    show: (matrix, view) => {
      clearTimeout(waiting);
      [lines, count, room] = [listLines(matrix, view), 0, MOST_TEXT];
      waiting = setTimeout(begin, PAUSE.first);
    },
    finish: () => {
      clearTimeout(waiting);
      if (count === 0) box.replaceChildren();
      while (addPart());
    },
  };
}
