// `npm run prove`: every long proof at its full count. Prints the figures and keeps them in docs/proofs.md.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Proven {
  readonly name: string;
  readonly count: number;
  readonly seed: number;
  readonly figures: string;
}

/** Where proofs are; a file that has none of its own costs nothing here. */
const PROOFS = ['fuzz', 'kills', 'properties', 'survival'];
const PAGE = fileURLToPath(new URL('../../docs/proofs.md', import.meta.url));
const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'meshform-prove-'));
const record = join(folder, 'proofs.jsonl');
writeFileSync(record, '');
const started = Date.now();
const chosen = process.argv.slice(2);
const { status } = spawnSync(
  process.execPath,
  [VITEST, 'run', '--dir', 'test', ...(chosen.length === 0 ? PROOFS : chosen)],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      MESHFORM_RUNS: process.env.MESHFORM_RUNS ?? 'full',
      MESHFORM_PROOFS: record,
    },
  },
);
const proven = readFileSync(record, 'utf8')
  .split('\n')
  .filter(line => line !== '')
  .map((line): Proven => JSON.parse(line));
rmSync(folder, { recursive: true });
const text = pageOf(proven);
process.stdout.write(`\n${text}`);
// Only a whole run that held is worth keeping.
if (status === 0 && chosen.length === 0 && process.env.MESHFORM_RUNS === undefined)
  writeFileSync(PAGE, text);
process.exitCode = status ?? 1;

function pageOf(all: readonly Proven[]): string {
  const rows = all
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, count, seed, figures }) => `| ${name} | ${count} | ${seed} | ${figures} |\n`);
  const date = new Date(started).toISOString().slice(0, 10);
  const minutes = ((Date.now() - started) / 60_000).toFixed(1);
  return `# Proofs

What \`npm run prove\` printed when it last held: every long proof at its full count, on ${date}, in ${minutes} minutes on
${cpus().length} cores with Node ${process.versions.node}. \`npm test\` runs a slice of each. \`MESHFORM_SEED\` is another seed, or \`random\`.

| proof | runs | seed | what came of it |
|---|---|---|---|
${rows.join('')}`;
}
