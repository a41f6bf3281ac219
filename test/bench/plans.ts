// Plans of accounts on the recorded server and on the emulator: their time, requests and memory.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answersFor, snapshotFor, writeFiles } from './account.ts';
import { type Ground, pairsFor } from './extent.ts';
import { type Figure, figure } from './figures.ts';
import { type Command, paired, peakMemory, timed } from './processes.ts';
import {
  bareServer,
  type Counted,
  countedBy,
  emulator,
  LAUNCHER,
  reset,
  type Server,
} from './servers.ts';
import { nothing } from './startUp.ts';

const RATIO_TARGETS: Readonly<Record<number, string>> = { 1000: '≤ 13', 10000: '≤ 85' };
const SCRIPT = new URL('./sameRequests.ts', import.meta.url).pathname;

/** Measures plans of all sizes. */
export async function plans(ground: Ground): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const objects of ground.extent.sizes) figures.push(...(await plansOf(objects, ground)));
  return figures;
}

async function plansOf(objects: number, ground: Ground): Promise<readonly Figure[]> {
  const { folder, recording, extent } = ground;
  const files = writeFiles(join(folder, `files-${objects}`), objects);
  const server = await bareServer(folder, answersFor(recording, objects));
  const plan: Command = { argv: [LAUNCHER, 'plan', files], cwd: folder, env: server.env };
  const validate: Command = { argv: [LAUNCHER, 'validate', files], cwd: folder };
  const pairs = pairsFor(extent, objects);
  try {
    const counted = await countedIn(plan, server);
    const { ratio, time } = await paired(plan, nothing(folder), pairs);
    const script = await paired(plan, await sameReads(folder, server, counted), pairs);
    const checked = await paired(validate, nothing(folder), pairs);
    const target = RATIO_TARGETS[objects];
    return [
      figure('plan ÷ `node -e 0`, recorded server', ratio, {
        objects,
        unit: 'ratio',
        ...(target !== undefined && { target }),
      }),
      figure('plan ÷ a script with the same requests', script.ratio, { objects, unit: 'ratio' }),
      figure('plan, recorded server', time, { objects, unit: 'ms' }),
      figure('validate ÷ `node -e 0`', checked.ratio, { objects, unit: 'ratio' }),
      {
        measure: 'requests of a plan',
        objects,
        value: counted.requests,
        unit: 'requests',
        target: '≤ 12',
      },
      ...(await memoryOf(plan, objects)),
      ...(await onEmulator(plan, objects, ground)),
    ];
  } finally {
    await server.stop();
  }
}

async function countedIn(command: Command, server: Server): Promise<Counted> {
  await reset(server);
  await timed(command);
  return countedBy(server);
}

// The lists that the plan read, the first one alone, as every run reads it before any other.
async function sameReads(folder: string, { url }: Server, { reads }: Counted): Promise<Command> {
  const [first, ...others] = reads.map(path => ({ path }));
  const file = join(folder, 'reads.json');
  writeFileSync(file, JSON.stringify([[first], others]));
  return { argv: [SCRIPT, url, file], cwd: folder };
}

async function memoryOf(plan: Command, objects: number): Promise<readonly Figure[]> {
  const value = await peakMemory(plan);
  const target = objects === 100_000 ? { target: '≤ 1,200' } : {};
  return [{ measure: 'peak memory of a plan', objects, value, unit: 'MB', ...target }];
}

async function onEmulator(
  plan: Command,
  objects: number,
  { folder, recording, extent }: Ground,
): Promise<readonly Figure[]> {
  const server = await emulator(folder, snapshotFor(recording, objects));
  try {
    const command = { ...plan, env: server.env };
    const { time } = await paired(command, nothing(folder), pairsFor(extent, objects));
    return [figure('plan, emulator', time, { objects, unit: 'ms' })];
  } finally {
    await server.stop();
  }
}
