// `npm run prove`: every long proof at its full count, or those that are named. Prints the figures and keeps them in
// docs/proofs.md, each with the day on which it came about.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A line of the page. */
interface Row {
  readonly name: string;
  readonly count: string;
  readonly seed: string;
  readonly day: string;
  readonly figures: string;
}

/** The proofs that need PostgreSQL, which have settings of their own. */
const QUEUE = 'queue';
/** Where proofs are; a test that is none costs nothing much here. */
const PROOFS = [
  QUEUE,
  'access/',
  'attribution/judged',
  'fuzz',
  'hostile',
  'kills',
  'properties',
  'survival',
  'read-only',
  'requests',
  'usage/',
];
const PAGE = fileURLToPath(new URL('../../docs/proofs.md', import.meta.url));
const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));

const HEAD = `# Proofs

Results of every long proof when \`npm run prove\` last ran it at its full count, on ${cpus().length} cores with Node ${process.versions.node}.
\`npm run test:all\` runs a slice of each, and \`npm run test:fleet\` of those that need PostgreSQL. \`npm run prove -- kills\` runs some of them; \`MESHFORM_SEED\` is another seed, or \`random\`.
If a proof held with several seeds on one day, the figures are those of the last seed. The number of runs in a row is the full count on the day of that row, which may have changed since: the proof about pull requests in pipelines now runs 1,000 times, each time as five jobs of real processes.

The API has no conditional writes. One window remains: between the read that
checks an action and its write, somebody else can still change the object or create one of the same name. For updates and deletes
this is the time of one request; for creates it is at most 10 seconds or 100 writes of the run, because one list serves many
creates. A lock in the Git remote leaves one more: a write that began just before the lock expired may still be under way when another
run takes it, if the machine stood still between the last check and the request. With \`lock: file\`, two applies on different machines
do not see each other: what both create exists twice, and the run that created the second says so. What others change in that window is reported after the run, where the audit log shows it, and members of groups are restored.

| proof | runs | seed | on | result |
|---|---|---|---|---|
`;

const chosen = process.argv.slice(2);
const { status, proven } = run(chosen.length === 0 ? PROOFS : chosen);
// Read after the runs, which take hours: somebody may have edited it since.
const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '';
// What others write there, such as speeds, begins with a heading, and stays.
const end = page.search(/^## /m);
const [proofs, others] = end < 0 ? [page, ''] : [page.slice(0, end), page.slice(end)];
const rows = new Map(kept().map(row => [row.name, row]));
for (const row of proven) rows.set(row.name, withSeeds(row, rows.get(row.name)));
const table = `${HEAD}${[...rows.values()].toSorted(byName).map(line).join('')}`;
const text = others === '' ? table : `${table}\n${others}`;
process.stdout.write(`\n${proven.map(line).join('')}`);
// A part of the runs proves nothing that is worth keeping.
if (process.env.MESHFORM_RUNS === undefined) writeFileSync(PAGE, text);
process.exitCode = status;

/** Runs proofs, and answers what each came to. */
function run(names: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'meshform-prove-'));
  const record = join(folder, 'proofs.jsonl');
  writeFileSync(record, '');
  const others = names.filter(name => name !== QUEUE);
  const runs = [
    ...(others.length > 0 ? [['--dir', 'test', ...others]] : []),
    ...(names.includes(QUEUE) ? [['--config', 'test/queue/vitest.config.ts']] : []),
  ];
  const codes = runs.map(words => ended(words, record));
  const day = new Date().toISOString().slice(0, 10);
  const noted = readFileSync(record, 'utf8')
    .split('\n')
    .filter(one => one !== '');
  rmSync(folder, { recursive: true });
  const all = noted.map((one): Row => {
    const row = JSON.parse(one);
    return { ...row, seed: String(row.seed), day };
  });
  // The last word on each counts.
  const status = codes.find(code => code !== 0) ?? 0;
  return { status, proven: [...new Map(all.map(row => [row.name, row])).values()] };
}

/** Runs vitest at the full count; returns its exit code. */
function ended(words: readonly string[], record: string): number {
  const { MESHFORM_RUNS = 'full' } = process.env;
  const { status } = spawnSync(process.execPath, [VITEST, 'run', '--isolate', ...words], {
    stdio: 'inherit',
    env: { ...process.env, MESHFORM_RUNS, MESHFORM_PROOFS: record },
  });
  return status ?? 1;
}

/** What the page has from before. */
function kept(): readonly Row[] {
  return proofs.split('\n').flatMap(text => {
    const [name = '', count = '', seed = '', day = '', figures] = text.slice(2, -2).split(' | ');
    return figures === undefined || name === 'proof' ? [] : [{ name, count, seed, day, figures }];
  });
}

// A proof that did not hold stands alone.
function withSeeds(row: Row, before: Row | undefined): Row {
  const isAlone =
    before?.day !== row.day ||
    [row, before].some(({ figures }) => figures.includes('did not hold'));
  if (isAlone) return row;
  const others = before.seed.split(', ').filter(seed => seed !== row.seed);
  return { ...row, seed: [...others, row.seed].join(', ') };
}

function line({ name, count, seed, day, figures }: Row): string {
  return `| ${[name, count, seed, day, figures].join(' | ')} |\n`;
}

function byName(one: Row, other: Row): number {
  return one.name < other.name ? -1 : 1;
}
