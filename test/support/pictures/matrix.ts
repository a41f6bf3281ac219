// The matrix of a page as a picture: two levels of headers, rows that are alike merged, ports as chips.

import { largest } from '../../../src/model/text/longLists.ts';
import type { MatrixData } from '../../../src/report/page/data.ts';
import { xmlText } from '../../../src/report/text/xmlText.ts';
import { framed, type Picture } from './frame.ts';

const STYLE = `
  .paper { fill: #ffffff; }
  .cell { font-size: 11px; }
  .line { stroke: #d1d9e0; }
  .chip { fill: #e8eefb; stroke: #1a56a8; }
  .chip.maybe { stroke-dasharray: 3 2; }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117; }
    .line { stroke: #3d444d; }
    .chip { fill: #12243f; stroke: #6cb0ff; }
  }
`;

const CHARACTER = 6.63;
const LINE = 16;
const CHIP = 20;
const PAD = 8;
const MARGIN = 16;

/** The characters of a line in the header of a row, and of a column. */
const ROW_LABEL = 26;
const COLUMN_LABEL = 12;

/** The matrix in a page of `access --html` as a picture. */
export function matrixPicture(page: string, picture: Picture): string {
  const { matrix } = dataOf(page);
  const columns = columnsOf(matrix);
  const right = columns.at(-1)?.end ?? 0;
  const top = MARGIN + LINE + Math.max(...columns.map(({ lines }) => lines.length)) * LINE + PAD;
  const body = [...headersOf(columns, top)];
  let y = top;
  for (const [row, side] of matrix.rows.entries()) {
    const drawn = rowAt({ y, label: side.label, found: cellsOf(matrix, row) }, columns);
    body.push(...drawn.body, `<path class="line" d="M${MARGIN} ${y}H${right}"/>`);
    y += drawn.height;
  }
  const legend =
    'A dashed frame: only machines that pass the posture checks of the policy. ↪: another way to the address, such as an exit node.';
  body.push(
    `<path class="line" d="M${MARGIN} ${y}H${right}"/>`,
    textAt(legend, { x: MARGIN, y: y + 22, classes: 'faint' }),
  );
  return framed(picture, {
    width: Math.ceil(right) + MARGIN,
    height: y + 22 + MARGIN,
    body,
    style: STYLE,
  });
}

const DATA = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/;

function dataOf(page: string): { readonly matrix: MatrixData } {
  const [, json] = DATA.exec(page) ?? [];
  if (json === undefined) throw new Error('a page without data has no matrix');
  return JSON.parse(json);
}

interface Column {
  readonly lines: readonly string[];
  /** The name above it. */
  readonly within: string;
  readonly start: number;
  readonly end: number;
}

interface Chip {
  readonly text: string;
  readonly classes: string;
}

function columnsOf(matrix: MatrixData): readonly Column[] {
  const columns: Column[] = [];
  for (const [at, { label, within, name }] of matrix.columns.entries()) {
    const lines = wrapped(label, COLUMN_LABEL);
    const chips = matrix.rows.flatMap((_, row) => cellsOf(matrix, row).get(at) ?? []);
    const texts = [...lines, ...chips.map(({ text }) => `${text}  `)];
    const longest = Math.max(...texts.map(text => [...text].length));
    const start = columns.at(-1)?.end ?? MARGIN + ROW_LABEL * CHARACTER;
    const end = start + longest * CHARACTER + PAD;
    columns.push({ lines, within: within ?? name.split('/')[0] ?? '', start, end });
  }
  return columns;
}

/** The chips of a row by column. */
function cellsOf(
  { cells, verdicts }: MatrixData,
  row: number,
): ReadonlyMap<number, readonly Chip[]> {
  const found = new Map<number, readonly Chip[]>();
  const list = cells[row] ?? [];
  for (let at = 0; at < list.length; at += 3) {
    const [column = 0, number = 0, length = 0] = list.slice(at, at + 3);
    const verdict = verdicts[number];
    for (let next = column; verdict && next < column + length; next += 1)
      found.set(next, chipsOf(verdict));
  }
  return found;
}

function chipsOf({
  status,
  ports,
  label,
  around = [],
}: MatrixData['verdicts'][number]): readonly Chip[] {
  const others = around.map(port => ({ text: `↪ ${portText(port)}`, classes: '' }));
  if (status === 'blocked') return [{ text: label.toLowerCase(), classes: '' }, ...others];
  const classes = status === 'reaches' ? 'chip' : 'chip maybe';
  return [...ports.map(port => ({ text: portText(port), classes })), ...others];
}

const portText = (port: string): string => (port === '*' ? 'all ports' : port);

function headersOf(columns: readonly Column[], bottom: number): readonly string[] {
  return columns.flatMap(({ lines, within, start, end }, at) => {
    const isFirst = columns[at - 1]?.within !== within;
    const last = columns.findLast(column => column.within === within)?.end ?? end;
    const base = bottom - PAD - (lines.length - 1) * LINE;
    return [
      ...(isFirst
        ? [
            textAt(within, { x: start, y: MARGIN + 8, classes: 'strong' }),
            `<path class="line" d="M${start.toFixed(1)} ${MARGIN + 14}H${(last - PAD).toFixed(1)}"/>`,
          ]
        : []),
      ...lines.map((line, row) => textAt(line, { x: start, y: base + row * LINE })),
    ];
  });
}

interface Row {
  readonly y: number;
  readonly label: string;
  readonly found: ReadonlyMap<number, readonly Chip[]>;
}

function rowAt(
  { y, label, found }: Row,
  columns: readonly Column[],
): { readonly body: readonly string[]; readonly height: number } {
  const lines = wrapped(label, ROW_LABEL - 2);
  const most = largest(
    1,
    found.values().map(({ length }) => length),
  );
  const chips = [...found].flatMap(([column, list]) =>
    list.flatMap((chip, at) => chipAt(chip, columns[column]?.start ?? 0, y + 5 + at * CHIP)),
  );
  const names = lines.map((line, at) => textAt(line, { x: MARGIN, y: y + LINE + 2 + at * LINE }));
  return {
    body: [...names, ...chips],
    height: Math.max(lines.length * LINE + 10, most * CHIP + 8),
  };
}

function chipAt({ text, classes }: Chip, x: number, y: number): readonly string[] {
  if (classes === '') return [textAt(text, { x, y: y + 13, classes: 'faint' })];
  const width = ([...text].length * CHARACTER + 8).toFixed(1);
  return [
    `<rect class="${classes}" x="${x.toFixed(1)}" y="${y}" width="${width}" height="${CHIP - 3}" rx="4"/>`,
    textAt(text, { x: x + 4, y: y + 12.5 }),
  ];
}

function textAt(
  text: string,
  { x, y, classes }: { readonly x: number; readonly y: number; readonly classes?: string },
): string {
  const named = classes === undefined ? 'cell' : `cell ${classes}`;
  const length = ([...text].length * CHARACTER).toFixed(1);
  return `<text class="${named}" x="${x.toFixed(1)}" y="${y}" textLength="${length}">${xmlText(text)}</text>`;
}

/** Lines of at most so many characters, which end after a word or a hyphen. */
function wrapped(text: string, room: number): readonly string[] {
  const lines: string[] = [];
  for (const part of text.match(/[^ -]+[ -]*/g) ?? []) {
    const last = lines.at(-1);
    if (last !== undefined && (last + part).trimEnd().length <= room)
      lines[lines.length - 1] = last + part;
    else lines.push(part);
  }
  return lines.map(line => line.trimEnd());
}
