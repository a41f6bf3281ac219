// `npm run bench`: how fast the program is, against what nobody can go below: Node with nothing to do, a script with the same
// requests, a bare server. Prints a table; `--json FILE` keeps the figures, `--quick` measures small accounts in under a minute.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { recordOffice } from './account.ts';
import { applies } from './applies.ts';
import { emulatorSpeed } from './emulatorSpeed.ts';
import type { Extent } from './extent.ts';
import { type Figure, keep, table } from './figures.ts';
import { fleets } from './fleets.ts';
import { growth } from './growth.ts';
import { locks } from './locks.ts';
import { observing } from './observing.ts';
import { plans } from './plans.ts';
import { startUp } from './startUp.ts';
import { studio } from './studio.ts';
import { templates } from './templates.ts';
import { tightening } from './tightening.ts';

const PARTS = {
  start: startUp,
  plan: plans,
  templates,
  apply: applies,
  lock: locks,
  growth,
  emulator: emulatorSpeed,
  observe: observing,
  tighten: tightening,
  fleet: fleets,
  studio,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, json: { type: 'string' } },
});
const unknown = positionals.filter(name => !(name in PARTS));
if (unknown.length > 0)
  throw new Error(
    `no such part: ${unknown.join(', ')}; parts are ${Object.keys(PARTS).join(', ')}`,
  );

const folder = mkdtempSync(join(tmpdir(), 'meshform-bench-'));
const extent: Extent = values.quick
  ? { sizes: [100, 1000], pairs: 3, isQuick: true }
  : { sizes: [100, 1000, 10_000, 100_000], pairs: 9, isQuick: false };
const figures: Figure[] = [];
try {
  const recording = await recordOffice();
  for (const [name, part] of Object.entries(PARTS)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    process.stderr.write(`measuring: ${name}\n`);
    figures.push(...(await part({ folder, recording, extent })));
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.stdout.write(table(figures));
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(figures, null, 2)}\n`);
// A part of the figures, or of the accounts, is no run to keep.
if (!values.quick && positionals.length === 0) keep(figures);
