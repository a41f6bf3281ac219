// The figures of a bench run: as a table for people, as JSON, and as a section of docs/proofs.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Spread } from './processes.ts';

/** One measure of a run. */
export interface Figure {
  readonly measure: string;
  /** Of the account; absent where no account matters. */
  readonly objects?: number;
  readonly value: number;
  readonly unit: 'ratio' | 'ms' | 'MB' | 'requests' | 'pushes' | 'exponent' | 'per second';
  /** Between which the single runs were. */
  readonly least?: number;
  readonly most?: number;
  readonly target?: string;
}

/** A figure of a spread. */
export function figure(
  measure: string,
  { median, least, most }: Spread,
  more: Omit<Figure, 'measure' | 'value' | 'least' | 'most'>,
): Figure {
  return { measure, value: median, least, most, ...more };
}

const DIGITS = {
  ratio: 2,
  exponent: 2,
  ms: 0,
  MB: 0,
  requests: 0,
  pushes: 0,
  'per second': 0,
} as const;
const SIGNS = {
  ratio: '×',
  exponent: '',
  ms: ' ms',
  MB: ' MB',
  requests: ' requests',
  pushes: ' pushes',
  'per second': ' per second',
} as const;

const shown = (value: number, unit: Figure['unit']): string =>
  `${value.toLocaleString('en', { maximumFractionDigits: DIGITS[unit] })}${SIGNS[unit]}`;

function cells({ measure, objects, value, unit, least, most, target }: Figure): readonly string[] {
  const range =
    least === undefined || most === undefined
      ? ''
      : `${shown(least, unit)} to ${shown(most, unit)}`;
  const count = objects === undefined ? '' : objects.toLocaleString('en');
  return [measure, count, shown(value, unit), range, target ?? ''];
}

const HEADINGS = ['measure', 'objects', 'median', 'runs between', 'target'];

/** The figures as a Markdown table. */
export function table(figures: readonly Figure[]): string {
  const rows = [HEADINGS, HEADINGS.map(() => '---'), ...figures.map(cells)];
  return rows.map(row => `| ${row.join(' | ')} |\n`).join('');
}

const PAGE = fileURLToPath(new URL('../../docs/proofs.md', import.meta.url));
/** What begins the section of the bench in docs/proofs.md; everything after it belongs to the bench. */
const BENCH_HEADING = '## Speed';

/** Why figures miss their targets, from profiles of November 2026; profile again where the code on the way has changed. */
const IN_THE_WAY = `What stands in the way of the targets that are missed:

- A plan of 1,000 objects spends 27 % of its time reading and checking files (more than half of that in the YAML parser, the only one that decides values), 21 %
  planning, 11 % on access, 5 % decoding the account, 8 % starting Node and loading the program, about 10 % collecting garbage, and the rest on requests,
  digest and output. No function has more than 3 %. Most code runs too briefly for V8 to optimise it: from 1,000 to 100,000 objects every stage takes less time an object.
  Flags of V8 (compilers, semi-spaces, one thread) were tried and win nothing.
- An apply of 1,000 creates makes its plan before the first write; the script makes none. The apply of a saved plan checks the digest, the plan and the account
  instead. Then every write waits until its journal entry is on the disk, looks whether the run still holds the lock, and its response is compared with
  what was sent. A script does none of this.
`;

/** Writes the figures into docs/proofs.md, in place of those of the last run. */
export function keep(figures: readonly Figure[]): void {
  const [page = ''] = readFileSync(PAGE, 'utf8').split(`\n${BENCH_HEADING}\n`);
  const day = new Date().toISOString().slice(0, 10);
  const about = `${BENCH_HEADING}

What \`npm run bench\` measured on ${day}, on ${cpus().length} cores with Node ${process.versions.node}. Two commands that are compared run in turn, and the
ratio is the median of the pairs. \`node -e 0\` is Node with nothing to do. The recorded server is a bare \`node:http\` server that answers
from memory. With 100,000 objects each command runs once. An account of 1,000 objects is 100 networks with a router and four resources each, 200 groups and 200 policies; of every
hundred objects one differs from the files. \`npm run bench -- --quick\` takes less than a minute and keeps nothing.

`;
  writeFileSync(PAGE, `${page}\n${about}${table(figures)}\n${IN_THE_WAY}`);
}
