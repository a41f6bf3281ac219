// The data of a page about who reaches what, without its elements: the rows and columns that a filter leaves, and their CSV.

/**
 * @typedef {{ name: string, shown?: string, label: string, within?: string, members: number[], groups: string[], address?: string, ids?: string[] }} Side
 * @typedef {{ change: string, gained: string[], lost: string[], left: string[] }} Difference
 * @typedef {{ status: string, label: string, ports: string[], kinds?: string[], because: string[], via?: string[], around?: string[], difference?: Difference }} Verdict
 * @typedef {{ members: string[], memberIds?: string[], rows: Side[], columns: Side[], verdicts: Verdict[], cells: number[][], before?: number[][] }} Data
 * @typedef {{ from: string, to: string, ports: string, because: string, status: string, empty: boolean }} Filter
 * @typedef {{ rows: number[], columns: number[], pairs: number, isShown: (row: number, column: number) => number }} View
 * @typedef {{ data: Data, at: (row: number, column: number) => number, view: (filter: Filter) => View }} Matrix
 */

/** The filter that leaves all pairs that have access or are blocked. */
export const NO_FILTER = { from: '', to: '', ports: '', because: '', status: '', empty: false };

/**
 * The matrix of a page in a state, ready to be filtered: `before` or `after` a plan, or the `difference` of both.
 * @param {Data} data
 * @param {string} [state]
 * @returns {Matrix}
 */
export function matrixOf(data, state = 'after') {
  const width = data.columns.length;
  const { verdicts, numbers } = contentsOf(data, state);
  const words = {
    rows: data.rows.map(wordsOf(data)),
    columns: data.columns.map(wordsOf(data)),
    reasons: verdicts.map(({ because }) => because.join('\n').toLowerCase()),
  };
  const at = (/** @type {number} */ row, /** @type {number} */ column) =>
    (numbers[row * width + column] ?? 0) - 1;
  return {
    data: { ...data, verdicts },
    at,
    view: filter => viewOf({ verdicts }, numbers, words, filter),
  };
}

/**
 * The contents of the cells in a state: for each cell the index of its verdict plus 1, or 0 if the cell is empty.
 * @param {Data} data
 * @param {string} state
 * @returns {{ verdicts: Verdict[], numbers: Int32Array }}
 */
function contentsOf(data, state) {
  const { verdicts, cells, before } = data;
  const after = numbersOf(data, cells);
  if (before === undefined || state === 'after') return { verdicts, numbers: after };
  const former = numbersOf(data, before);
  if (state === 'before') return { verdicts, numbers: former };
  /** @type {Verdict[]} */
  const compared = [];
  /** @type {Map<number, number>} */
  const known = new Map();
  const numbers = after.map((number, at) => {
    const was = former[at] ?? 0;
    // A lost other way to an address appears as a separate pair, so it is no change of this pair.
    if (number === 0 && (was === 0 || verdicts[was - 1]?.status === 'around')) return 0;
    const pair = was * (verdicts.length + 1) + number;
    const found =
      known.get(pair) ?? compared.push(comparedVerdict(verdicts[was - 1], verdicts[number - 1]));
    known.set(pair, found);
    return found;
  });
  return { verdicts: compared, numbers };
}

/** @type {(data: Data, cells: number[][]) => Int32Array} */
function numbersOf({ rows, columns }, cells) {
  const width = columns.length;
  const numbers = new Int32Array(rows.length * width);
  for (const [row, runs] of cells.entries())
    for (let i = 0; i < runs.length; i += 3) {
      const first = row * width + (runs[i] ?? 0);
      numbers.fill((runs[i + 1] ?? 0) + 1, first, first + (runs[i + 2] ?? 0));
    }
  return numbers;
}

/**
 * Two verdicts about the same pair as one.
 * @param {Verdict | undefined} before
 * @param {Verdict | undefined} after
 * @returns {Verdict}
 */
function comparedVerdict(before, after) {
  if (isNewButFailed(before, after) && after)
    return {
      ...after,
      difference: { change: 'gained', gained: after.ports, lost: [], left: after.ports },
    };
  const was = grantedIn(before);
  const is = grantedIn(after);
  const shown = after ?? before ?? { status: 'blocked', label: '', ports: [], because: [] };
  if (was.length === 0 && is.length === 0) return shown;
  const gained = is.filter(port => !was.some(one => allows(one, port)));
  const lost = was.filter(port => !is.some(one => allows(one, port)));
  const isSameCondition =
    was.length === 0 || is.length === 0 || conditionOf(before) === conditionOf(after);
  if (gained.length + lost.length === 0 && isSameCondition) return shown;
  const isOneWay = isSameCondition && (gained.length === 0 || lost.length === 0);
  const change = isOneWay ? (lost.length === 0 ? 'gained' : 'lost') : 'changed';
  const because = [
    ...(is.length > 0 ? (after?.because ?? []) : []),
    ...(was.length > 0 ? (before?.because ?? []).map(text => `before the plan: ${text}`) : []),
    ...(is.length === 0 ? (after?.because ?? []) : []),
  ];
  const ports = [...new Set([...is, ...was])];
  const via = [
    ...(is.length > 0 ? (after?.via ?? []) : []),
    ...(was.length > 0 ? (before?.via ?? []) : []),
  ];
  return {
    status: shown.status,
    label: ports.join(' '),
    ports,
    because,
    via: [...new Set(via)],
    ...(after?.around && { around: after.around }),
    difference: { change, gained, lost, left: is.length > 0 ? is : was },
  };
}

/**
 * The status of a verdict, or its rules and checks if these checks cannot be evaluated: a change of them is then the only sign
 * that more or fewer sources may pass.
 * @type {(verdict: Verdict | undefined) => string}
 */
function conditionOf(verdict) {
  const { status = '', because = [] } = verdict ?? {};
  return status === 'unknown' ? because.join('\n') : status;
}

/**
 * Whether a pair is new although its source fails the checks today: a new rule always counts as a gain.
 * @type {(before: Verdict | undefined, after: Verdict | undefined) => boolean}
 */
const isNewButFailed = (before, after) =>
  after?.status === 'fail' &&
  (before === undefined || before.status === 'blocked' || before.status === 'around');

/** @type {(verdict: Verdict | undefined) => string[]} */
const grantedIn = verdict =>
  verdict === undefined || verdict.status === 'blocked' || verdict.status === 'fail'
    ? []
    : verdict.ports;

/**
 * Whether the sources of a cell reach its destination, by its rules or in another way.
 * @param {Verdict} verdict
 */
export const hasAccess = ({ difference, around = [], ...verdict }) =>
  around.length > 0 || (difference?.change !== 'lost' && grantedIn(verdict).length > 0);

/**
 * @param {Data} data
 * @returns {(side: Side) => string}
 */
function wordsOf({ members }) {
  return ({ name, shown = '', address = '', groups, members: own }) =>
    [name, shown, address, ...groups, ...own.map(index => members[index])].join('\n').toLowerCase();
}

/**
 * @param {Pick<Data, 'verdicts'>} data
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
 * Why no pair matches a filter, and what to do: `Nothing is called "ops".`. Empty if pairs match, or if the filter is empty.
 * @param {Matrix} matrix
 * @param {Filter} filter
 * @param {Pick<View, 'pairs'>} found what the filter leaves
 * @returns {string}
 */
export function emptyHint({ data, view }, filter, { pairs }) {
  if (pairs > 0) return '';
  const all = { ...NO_FILTER, empty: true };
  const { rows, columns } = view({ ...all, from: filter.from, to: filter.to });
  const unknown = [
    ...(rows.length === 0 && data.rows.length > 0 ? [`No source is called "${filter.from}".`] : []),
    ...(columns.length === 0 && data.columns.length > 0
      ? [`No destination is called "${filter.to}".`]
      : []),
  ];
  if (unknown.length > 0) return unknown.join(' ');
  const isNarrowed = [filter.ports, filter.because, filter.status].some(text => text !== '');
  const why = isNarrowed ? 'No access matches all of these filters.' : 'No rule allows this.';
  return filter.empty
    ? why
    : `${why} To see the pairs and why they are closed, tick "Show empty rows and columns" and choose a cell.`;
}

/**
 * For each verdict, 1 if it matches a filter, and otherwise 0.
 * @param {Verdict[]} verdicts
 * @param {string[]} reasons
 * @param {Filter} filter
 */
function wantedOf(verdicts, reasons, filter) {
  const words = wordsIn(filter.because);
  const asked = wordsIn(filter.ports);
  /** @type {Map<string, boolean>} */
  const known = new Map();
  const hasPort = (/** @type {Verdict} */ { label, ports, around = [] }) => {
    const key = [label, ...around].join(' ');
    const all = [...ports, ...around];
    const found = known.get(key) ?? asked.some(word => all.some(port => allows(port, word)));
    known.set(key, found);
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
function isOfStatus({ status, around, difference }, wanted) {
  if (wanted === '') return true;
  if (wanted === 'around') return around !== undefined;
  if (wanted === 'changed') return difference !== undefined;
  if (wanted === 'posture') return status === 'pass' || status === 'fail' || status === 'unknown';
  return status === wanted || (wanted === 'blocked' && status === 'fail');
}

/**
 * Whether allowed ports, such as `tcp/8000-8100`, contain what the filter asks for: `8080`, `tcp/8080`, `tcp`.
 * @param {string} allowed
 * @param {string} asked
 */
export function allows(allowed, asked) {
  if (allowed === '*') return true;
  if (asked === '*') return false;
  const [, word = '', numbers = ''] = /^([a-z]*)\/?(.*)$/.exec(asked) ?? [];
  const protocol = word === 'ping' ? 'icmp' : word;
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
 * The text of a cell. Everything but plain access has a sign, so that no meaning depends on colour alone.
 * @param {Verdict} verdict
 */
export function cellText({ status, label, around = [], difference }) {
  const others = around.length > 0 ? [`${AROUND} ${around.join(' ')} in another way`] : [];
  if (difference) {
    const { change, gained, lost } = difference;
    // Without signs, the word applies to all ports. If some ports are gained and others lost, each port has a sign.
    const signs = change === 'changed' ? ['+\u00a0', '−\u00a0'] : ['', ''];
    const moved = [gained, lost].flatMap((ports, at) => ports.map(port => `${signs[at]}${port}`));
    const failed = status === 'fail' ? ['the sources fail a posture check'] : [];
    const sign = CHANGE_SIGNS[change] ?? '';
    return [`${sign} ${change}: ${moved.join(', ') || label}`, ...failed, ...others].join('; ');
  }
  const sign = SIGNS[status];
  const own = sign === undefined ? label : `${sign} ${label}`;
  return [own, ...others].filter(Boolean).join('; ');
}

/** The sign for access to the same address by another way. */
const AROUND = '↪';

/** The signs of the changes of access, as in every view. @type {Record<string, string>} */
const CHANGE_SIGNS = { gained: '+', lost: '−', changed: '~' };

/** How a plan changes a cell; the edge of the cell shows it. @type {(verdict: Verdict) => string} */
export const lookOf = ({ difference }) => difference?.change ?? 'same';

/** @type {Record<string, string>} */
const SIGNS = { pass: '◐', unknown: '?', fail: '✕', blocked: '✕' };

/** The name of a row or column as readers see it, with its address. @type {(side: Side) => string} */
export const titleOf = ({ name, address }) => (address === undefined ? name : `${name} ${address}`);

/** @typedef {{ text: string, look: string }} Chip */

/** The number of characters that fit into a cell: for one port, for each of two, and beside the number of further ports. */
const FITS = { alone: 12, two: 10, beside: 8 };

/**
 * The chips of a cell: those that fit, and the number of the others.
 * @param {Verdict} verdict
 * @returns {Chip[]}
 */
export function chipsOf(verdict) {
  const all = allChips(verdict);
  const [one] = all;
  if (one === undefined) return [];
  if (all.length === 1)
    return one.text.length <= FITS.alone
      ? [one]
      : [{ ...one, text: `${one.text.slice(0, FITS.alone - 1)}…` }];
  const characters = all.reduce((sum, { text }) => sum + text.length, 0);
  if (all.length === 2 && characters <= FITS.two) return all;
  const { gained = [], lost = [] } = verdict.difference ?? {};
  if (gained.length > 0 && lost.length > 0)
    return [
      { text: `+${gained.length}`, look: 'gained' },
      { text: `−${lost.length}`, look: 'lost' },
    ];
  const short = all.find(({ text }) => text.length <= FITS.beside);
  return short
    ? [short, { text: `+${all.length - 1}`, look: 'more' }]
    : [{ ...one, text: `${all.length} ports` }];
}

/** @type {(verdict: Verdict) => Chip[]} */
function allChips({ status, label, ports, kinds = [], around = [], difference }) {
  if (difference) {
    const { change, gained, lost } = difference;
    const failed = status === 'fail' ? '✕' : '';
    const moved = [
      ...gained.map(port => ({ text: `+${failed}${portText(port)}`, look: 'gained' })),
      ...lost.map(port => ({ text: `−${portText(port)}`, look: 'lost' })),
    ];
    return moved.length > 0 ? moved : [{ text: '~ posture', look: change }];
  }
  const sign = SIGNS[status];
  const before = sign === undefined ? '' : `${sign} `;
  const others = around.map((port, at) => ({
    text: `${at === 0 ? `${AROUND} ` : ''}${portText(port)}`,
    look: 'around',
  }));
  if (status === 'blocked')
    return [...others, { text: `${before}${BLOCKED[label] ?? 'blocked'}`, look: 'blocked' }];
  const look = (/** @type {number} */ at) =>
    status === 'fail' ? 'blocked' : (kinds[at] ?? 'other');
  const own = ports.map((port, at) => ({
    text: `${at === 0 ? before : ''}${portText(port)}`,
    look: look(at),
  }));
  return status === 'fail' ? [...others, ...own] : [...own, ...others];
}

/**
 * Short words for the codes of what blocks access.
 * @type {Record<string, string>}
 */
const BLOCKED = {
  DISABLED: 'disabled',
  NO_ROUTER: 'no router',
  NOT_APPROVED: 'approval',
  LOGIN_EXPIRED: 'login',
  DIRECTION: 'direction',
  PORT: 'port',
  POSTURE: 'posture',
  NOT_DISTRIBUTED: 'no route',
  NO_EDGE_TO_ROUTER: 'no edge',
  DROPPED_BY: 'dropped',
};

/** The text of a port; `tcp` is left out, because most ports are TCP ports. @type {(port: string) => string} */
const portText = port =>
  port === '*' ? 'all' : port.startsWith('tcp/') && port !== 'tcp/*' ? port.slice(4) : port;

const HEAD = [
  'verdict',
  'from',
  'from_machines',
  'to',
  'to_machines',
  'address',
  'ports',
  'because',
  'from_ids',
  'from_machine_ids',
  'to_ids',
  'to_machine_ids',
  'via_ids',
];

/**
 * The name of a machine. In the selector, a name that is not a plain word is quoted: `peer["mia → db"]`.
 * @type {(member: string) => string | never[]}
 */
function machineIn(member) {
  const [, plain, quoted] = /^peer(?:\/(.*)|\[(".*")\])$/s.exec(member) ?? [];
  return quoted === undefined ? (plain ?? []) : JSON.parse(quoted);
}

/** The columns of the difference with the ports that a pair gains and loses. */
const MOVED = ['gained_ports', 'lost_ports'];

/**
 * The pairs of a view as CSV, with the columns and verdicts of `meshform access --format csv`, and two more columns in the
 * difference. A pair that is reached only in another way is `around`; the command prints that way on a separate line.
 * @param {Matrix} matrix
 * @param {View} view
 */
export function csvOf({ data }, view) {
  const memberAt = (/** @type {number} */ at) => data.members[at] ?? '';
  const idAt = (/** @type {number} */ at) => data.memberIds?.[at] || memberAt(at);
  const isMachine = (/** @type {number} */ at) => /^peer[/[]/.test(memberAt(at));
  const machines = (/** @type {Side} */ { members }) =>
    members.flatMap(at => machineIn(memberAt(at))).join(' ');
  const idCells = (/** @type {Side} */ { members, ids }) => [
    (ids ?? members.map(idAt)).join(' '),
    members.filter(isMachine).map(idAt).join(' '),
  ];
  const isDifference = data.verdicts.some(({ difference }) => difference !== undefined);
  const lines = [isDifference ? HEAD.concat(MOVED) : HEAD];
  for (const [row, column, verdict] of pairsOf(data, view)) {
    const because = verdict.because.join('; ');
    lines.push([
      csvVerdict(verdict),
      row.name,
      machines(row),
      column.name,
      machines(column),
      column.address ?? '',
      csvPorts(verdict).join(' '),
      because,
      ...idCells(row),
      ...idCells(column),
      (verdict.via ?? []).join(' '),
      ...(isDifference ? movedCells(verdict) : []),
    ]);
  }
  return lines.map(cells => `${cells.map(csvCell).join(',')}\n`).join('');
}

/** @type {(verdict: Verdict) => string} */
function csvVerdict({ status, label, difference }) {
  if (difference) return difference.change;
  if (status === 'blocked') return label;
  return status === 'reaches' || status === 'around' ? status : 'conditional';
}

/** The ports of a pair after the plan, or before it if the access is lost; without ports of other ways. @type {(verdict: Verdict) => string[]} */
const csvPorts = ({ status, ports, around = [], difference }) =>
  difference?.left ?? (status === 'around' ? around : ports);

/** @type {(verdict: Verdict) => string[]} */
const movedCells = ({ difference }) => [
  difference?.gained.join(' ') ?? '',
  difference?.lost.join(' ') ?? '',
];

/**
 * The pairs of a view that have something to show.
 * @param {Data} data
 * @param {View} view
 * @returns {Generator<[Side, Side, Verdict]>}
 */
function* pairsOf({ rows, columns, verdicts }, view) {
  for (const row of view.rows)
    for (const column of view.columns) {
      const verdict = verdicts[view.isShown(row, column)];
      const source = rows[row];
      const target = columns[column];
      if (verdict && source && target) yield [source, target, verdict];
    }
}

/**
 * A cell of CSV that no spreadsheet interprets. Spreadsheets run texts that begin like a formula, and other people choose the
 * names. In many countries, a semicolon begins a new cell, even in quotes if the quotes do not begin the line.
 * @param {string} text
 */
function csvCell(text) {
  const safe = text.replaceAll(/(^|;)(\s*)(?=[=+\-@])/g, "$1$2'");
  return /[",;\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
