// The stages of a plan alone, in accounts of growing size, and how their time grows: with the exponent 1 twice the objects take
// twice the time.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { answersFor, writeFiles } from './account.ts';
import type { Ground } from './extent.ts';
import { type Figure, figure } from './figures.ts';
import { spread } from './processes.ts';

type Times = Readonly<Record<string, number>>;

const STAGES = new URL('./stages.ts', import.meta.url).pathname;

/** Measures each stage at each size. */
export async function growth({ folder, recording, extent }: Ground): Promise<readonly Figure[]> {
  const sizes = extent.isQuick ? [1000, 4000] : extent.sizes.filter(size => size >= 1000);
  const measured = new Map<number, readonly Times[]>();
  for (const objects of sizes) {
    const files = writeFiles(join(folder, `files-${objects}`), objects);
    const answers = join(folder, 'answers.json');
    writeFileSync(answers, JSON.stringify(answersFor(recording, objects)));
    const runs: Times[] = [];
    for (let run = 0; run < (objects >= 100_000 || extent.isQuick ? 1 : 3); run += 1)
      runs.push(await stages(files, answers));
    measured.set(objects, runs);
  }
  const smallest = sizes[0] ?? 0;
  const largest = sizes.at(-1) ?? 0;
  const names = Object.keys(measured.get(smallest)?.[0] ?? {});
  const at = (name: string, objects: number) =>
    spread((measured.get(objects) ?? []).map(times => times[name] ?? Number.NaN));
  return names.flatMap(name => [
    ...sizes.map(objects => figure(`stage: ${name}`, at(name, objects), { objects, unit: 'ms' })),
    {
      measure: `growth of ${name}, ${smallest} to ${largest}`,
      value:
        Math.log(at(name, largest).median / at(name, smallest).median) /
        Math.log(largest / smallest),
      unit: 'exponent',
      target: '≤ 1.1',
    } as const,
  ]);
}

// Of a process of its own: a large account must not leave garbage to a small one.
async function stages(files: string, answers: string): Promise<Times> {
  const { stdout } = await promisify(execFile)(process.execPath, [STAGES, files, answers]);
  return JSON.parse(stdout) as Times;
}
