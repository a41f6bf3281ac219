// What a page knows about who reaches what, without the page: which rows and columns a filter leaves, and their CSV.

/**
 * @typedef {{ name: string, members: number[], groups: string[], address?: string }} Side
 * @typedef {{ status: string, label: string, ports: string[], because: string[] }} Verdict
 * @typedef {{ members: string[], rows: Side[], columns: Side[], verdicts: Verdict[], cells: number[][] }} Data
 * @typedef {{ from: string, to: string, ports: string, because: string, status: string, empty: boolean }} Filter
 * @typedef {{ rows: number[], columns: number[], pairs: number, isShown: (row: number, column: number) => number }} View
 * @typedef {{ data: Data, at: (row: number, column: number) => number, view: (filter: Filter) => View }} Matrix
 */

/** The filter that leaves everything that has access, or is blocked. */
export const NO_FILTER = { from: '', to: '', ports: '', because: '', status: '', empty: false };

/**
 * The matrix of a page, ready to be filtered.
 * @param {Data} data
 * @returns {Matrix}
 */
export function matrixOf(data) {
  const { rows, columns, cells } = data;
  const width = columns.length;
  // The number of the verdict and one, 0 for none.
  const numbers = new Int32Array(rows.length * width);
  for (const [row, runs] of cells.entries())
    for (let i = 0; i < runs.length; i += 3) {
      const first = row * width + (runs[i] ?? 0);
      numbers.fill((runs[i + 1] ?? 0) + 1, first, first + (runs[i + 2] ?? 0));
    }
  const words = {
    rows: rows.map(wordsOf(data)),
    columns: columns.map(wordsOf(data)),
    reasons: data.verdicts.map(({ because }) => because.join('\n').toLowerCase()),
  };
  const at = (/** @type {number} */ row, /** @type {number} */ column) =>
    (numbers[row * width + column] ?? 0) - 1;
  return { data, at, view: filter => viewOf(data, numbers, words, filter) };
}

/**
 * @param {Data} data
 * @returns {(side: Side) => string}
 */
function wordsOf({ members }) {
  return ({ name, address = '', groups, members: own }) =>
    [name, address, ...groups, ...own.map(index => members[index])].join('\n').toLowerCase();
}

/**
 * @param {Data} data
 * @param {Int32Array} numbers
 * @param {{ rows: string[], columns: string[], reasons: string[] }} words
 * @param {Filter} filter
 * @returns {View}
 */
function viewOf({ verdicts }, numbers, words, filter) {
  const width = words.columns.length;
  const wanted = wantedOf(verdicts, words.reasons, filter);
  const rows = indexesOf(words.rows, filter.from);
  const columns = indexesOf(words.columns, filter.to);
  const hasRow = new Uint8Array(words.rows.length);
  const hasColumn = new Uint8Array(width);
  let pairs = 0;
  for (const row of rows)
    for (const column of columns) {
      const number = numbers[row * width + column] ?? 0;
      if (number === 0 || wanted[number - 1] === 0) continue;
      hasRow[row] = hasColumn[column] = 1;
      pairs++;
    }
  return {
    rows: filter.empty ? rows : rows.filter(row => hasRow[row] === 1),
    columns: filter.empty ? columns : columns.filter(column => hasColumn[column] === 1),
    pairs,
    isShown: (row, column) => {
      const number = numbers[row * width + column] ?? 0;
      return number === 0 || wanted[number - 1] === 0 ? -1 : number - 1;
    },
  };
}

/**
 * The places of the texts that have every word of a filter.
 * @param {string[]} texts
 * @param {string} filter
 */
function indexesOf(texts, filter) {
  const words = wordsIn(filter);
  return [...texts.keys()].filter(at => words.every(word => texts[at]?.includes(word)));
}

/** @param {string} filter */
const wordsIn = filter =>
  filter
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);

/**
 * By verdict, 1 if a filter leaves it.
 * @param {Verdict[]} verdicts
 * @param {string[]} reasons
 * @param {Filter} filter
 */
function wantedOf(verdicts, reasons, filter) {
  const words = wordsIn(filter.because);
  const asked = wordsIn(filter.ports);
  /** @type {Map<string, boolean>} */
  const known = new Map();
  const hasPort = (/** @type {Verdict} */ { label, ports }) => {
    const found = known.get(label) ?? asked.some(word => ports.some(port => allows(port, word)));
    known.set(label, found);
    return found;
  };
  return Uint8Array.from(verdicts, (verdict, at) =>
    Number(
      isOfStatus(verdict, filter.status) &&
        words.every(word => reasons[at]?.includes(word)) &&
        (asked.length === 0 || hasPort(verdict)),
    ),
  );
}

/**
 * @param {Verdict} verdict
 * @param {string} wanted
 */
function isOfStatus({ status }, wanted) {
  if (wanted === '') return true;
  if (wanted === 'posture') return status === 'pass' || status === 'fail' || status === 'unknown';
  return status === wanted || (wanted === 'blocked' && status === 'fail');
}

/**
 * Whether ports that are allowed, such as `tcp/8000-8100`, have what is asked for: `8080`, `tcp/8080`, `tcp`.
 * @param {string} allowed
 * @param {string} asked
 */
export function allows(allowed, asked) {
  if (allowed === '*') return true;
  const [, protocol = '', numbers = ''] = /^([a-z]*)\/?(.*)$/.exec(asked) ?? [];
  const [own = '', ports = '*'] = allowed.split('/');
  if (protocol !== '' && protocol !== own) return false;
  if (numbers === '') return true;
  if (own === 'icmp') return false;
  if (ports === '*') return true;
  const [from = 0, to = from] = ports.split('-').map(Number);
  const [low = 0, high = low] = numbers.split('-').map(Number);
  return from <= low && high <= to;
}

/**
 * What a cell shows: a sign for everything that is not plain access, so that colour alone says nothing.
 * @param {Verdict} verdict
 */
export function cellText({ status, label }) {
  const sign = { pass: '◐', unknown: '?', fail: '✕', blocked: '✕' }[status];
  return sign === undefined ? label : `${sign} ${label}`;
}

const HEAD = [
  'verdict',
  'from',
  'from_machines',
  'to',
  'to_machines',
  'address',
  'ports',
  'because',
];

/**
 * The name of a machine; a name that is no plain word is quoted: `peer["mia → db"]`.
 * @type {(member: string) => string | never[]}
 */
function machineIn(member) {
  const [, plain, quoted] = /^peer(?:\/(.*)|\[(".*")\])$/s.exec(member) ?? [];
  return quoted === undefined ? (plain ?? []) : JSON.parse(quoted);
}

/**
 * The pairs of a view as CSV, with the columns of `meshform access --format csv`.
 * @param {Matrix} matrix
 * @param {View} view
 */
export function csvOf({ data }, view) {
  const machines = (/** @type {Side} */ side) =>
    side.members.flatMap(at => machineIn(data.members[at] ?? '')).join(' ');
  const lines = [HEAD];
  for (const [row, column, verdict] of pairsOf(data, view)) {
    const ports = verdict.ports.join(' ');
    const name = verdict.status === 'blocked' ? verdict.label : verdict.status;
    const because = verdict.because.join('; ');
    lines.push([
      name,
      row.name,
      machines(row),
      column.name,
      machines(column),
      column.address ?? '',
      ports,
      because,
    ]);
  }
  return lines.map(cells => `${cells.map(csvCell).join(',')}\n`).join('');
}

/**
 * The pairs of a view that have something to show.
 * @param {Data} data
 * @param {View} view
 * @returns {Generator<[Side, Side, Verdict]>}
 */
export function* pairsOf({ rows, columns, verdicts }, view) {
  for (const row of view.rows)
    for (const column of view.columns) {
      const verdict = verdicts[view.isShown(row, column)];
      const source = rows[row];
      const target = columns[column];
      if (verdict && source && target) yield [source, target, verdict];
    }
}

/**
 * A spreadsheet runs what begins like a formula, and names are chosen by others. In many countries it begins a new cell at a
 * semicolon, even at one in quotes if the quotes do not begin the line.
 * @param {string} text
 */
function csvCell(text) {
  const safe = text.replaceAll(/(^|;)(\s*)(?=[=+\-@])/g, "$1$2'");
  return /[",;\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
