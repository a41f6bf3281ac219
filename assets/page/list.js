// The matrix as a table, for the browser's search, for screen readers and for paper: the grid contains only its visible part.

import { make } from './elements.js';
import { cellText, lookOf, titleOf } from './matrix.js';

/** The number of lines that are added at a time, so that the page responds in between. Each part is a separate table. */
const PART = 500;
/** In ms: how long the list waits for the next key in a filter, and the pause between two parts in which the page can respond. */
const PAUSE = { first: 150, next: 20 };
/**
 * The largest number of characters in the list until somebody asks for more: browsers become slow with all of a very large
 * matrix.
 */
const MOST_TEXT = 4_000_000;
/** The number of destinations of a line that are shown before the others are unfolded. */
const NAMED = 24;

/**
 * @typedef {import('./matrix.js').Matrix} Matrix
 * @typedef {import('./matrix.js').Side} Side
 * @typedef {import('./matrix.js').Verdict} Verdict
 * @typedef {import('./matrix.js').View} View
 * @typedef {{ from: Side, to: Side[], verdict: Verdict }} Line
 */

/**
 * The lines of the list. Each line has the sources of a row, and all destinations for which its cells have the same content.
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

/** The columns of the list. */
const LIST_HEADS = ['From', 'To', 'Ports', 'Because'];

/** @type {(line: Line) => HTMLElement} */
function listRow({ from, to, verdict }) {
  const row = make('tr', { class: verdict.difference && lookOf(verdict) });
  const head = make('th', { scope: 'row' });
  head.append(...inParts(from.name));
  const cells = [targetParts(to), inParts(cellText(verdict)), inParts(verdict.because.join('; '))];
  // In a narrow window, each cell shows the header of its column beside it.
  row.append(
    head,
    ...cells.map((parts, at) => {
      const cell = make('td', { 'data-label': LIST_HEADS[at + 1] });
      cell.append(...parts);
      return cell;
    }),
  );
  return row;
}

/**
 * In characters: longer words may be wrapped after punctuation marks, but only in texts up to this length, to limit the elements.
 */
const WRAPPED = { word: 20, text: 600 };
const AFTER_MARK = /(?<=[\p{L}\p{N}\]][-./,:@=])(?=.)/u;

/** A text that is wrapped between words, or between the parts of a long one. @type {(text: string) => (string | HTMLElement)[]} */
function inParts(text) {
  if (text.length > WRAPPED.text) return [text];
  return text
    .split(/(?<= )/)
    .flatMap(word =>
      word.length > WRAPPED.word
        ? word.split(AFTER_MARK).flatMap((part, at) => (at > 0 ? [make('wbr', {}), part] : [part]))
        : [word],
    );
}

/** @type {(targets: Side[]) => (string | HTMLElement)[]} */
function targetParts(targets) {
  const names = targets.map(titleOf);
  if (names.length <= NAMED) return inParts(names.join(', '));
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
  for (const text of LIST_HEADS) head.append(make('th', { scope: 'col' }, text));
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

/** A list in a box, which is written one part after another. */
export class List {
  #box;
  /** @type {Generator<Line> | undefined} */
  #lines;
  #count = 0;
  /** How many characters may still be added. */
  #room = MOST_TEXT;
  #waiting = 0;

  /** @param {HTMLElement} box */
  constructor(box) {
    this.#box = box;
  }

  /** Starts the list again for a view. @type {(matrix: Matrix, view: View) => void} */
  show(matrix, view) {
    clearTimeout(this.#waiting);
    this.#lines = listLines(matrix, view);
    this.#count = 0;
    this.#room = MOST_TEXT;
    this.#waiting = setTimeout(() => {
      this.#box.replaceChildren();
      this.#addParts();
    }, PAUSE.first);
  }

  /** Adds the other parts at once. */
  finish() {
    clearTimeout(this.#waiting);
    if (this.#count === 0) this.#box.replaceChildren();
    while (this.#addPart());
  }

  #addParts() {
    if (this.#addPart()) this.#waiting = setTimeout(() => this.#addParts(), PAUSE.next);
  }

  /** Adds a part; false if there are no more lines, or no more room. */
  #addPart() {
    const { rows, isEnded } = this.#nextRows();
    if (rows.length > 0) this.#box.append(listTable(rows, this.#count));
    this.#count += rows.length;
    if (!isEnded && this.#room <= 0) this.#box.append(this.#moreLines());
    return !isEnded && this.#room > 0;
  }

  #nextRows() {
    /** @type {HTMLElement[]} */
    const rows = [];
    while (rows.length < PART && this.#room > 0) {
      const next = this.#lines?.next();
      if (next === undefined || next.done) return { rows, isEnded: true };
      const row = listRow(next.value);
      this.#room -= row.textContent?.length ?? 0;
      rows.push(row);
    }
    return { rows, isEnded: false };
  }

  /** @type {() => HTMLElement} */
  #moreLines() {
    const button = make('button', { type: 'button' }, 'Show more');
    const line = make(
      'p',
      {},
      `These are the first ${this.#count} lines. The CSV has all of them. `,
    );
    button.addEventListener('click', () => {
      line.remove();
      this.#room = MOST_TEXT;
      this.#addParts();
    });
    line.append(button);
    return line;
  }
}
