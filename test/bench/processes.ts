// Commands as whole processes: how long they take, paired A B A B, and what memory they need at most.
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A command to time. */
export interface Command {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called before each run, outside of its time. */
  readonly before?: () => Promise<void>;
}

/** The median of some figures, and between which they were. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** The median and ends of figures. */
export function spread(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((one, other) => one - other);
  return {
    median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    least: sorted[0] ?? Number.NaN,
    most: sorted.at(-1) ?? Number.NaN,
  };
}

/** Runs a command with Node; resolves to the milliseconds it took. Throws where it fails. */
export async function timed({ argv, cwd, env, before }: Command): Promise<number> {
  await before?.();
  const begun = performance.now();
  await new Promise<void>((resolve, reject) => {
    const child = spawn(process.execPath, argv, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stdout.resume();
    child.stderr.on('data', chunk => {
      said += String(chunk);
    });
    child.on('error', reject);
    child.on('close', code => {
      if (code === 0) resolve();
      else reject(new Error(`${argv.join(' ')} ended with ${code}: ${said}`));
    });
  });
  return performance.now() - begun;
}

/** A command against another: the time of the first in milliseconds, and the ratio of each pair. */
export interface Pairs {
  readonly time: Spread;
  readonly ratio: Spread;
}

/** Times two commands in turn, after one run of each that does not count; a single pair is too long to be run twice. */
export async function paired(one: Command, other: Command, pairs: number): Promise<Pairs> {
  if (pairs > 1) for (const command of [one, other]) await timed(command);
  const times: number[] = [];
  const ratios: number[] = [];
  for (let i = 0; i < pairs; i += 1) {
    const time = await timed(one);
    times.push(time);
    ratios.push(time / (await timed(other)));
  }
  return { time: spread(times), ratio: spread(ratios) };
}

// The times of /proc/self/stat are in ticks, of which Linux has a hundred a second on every machine; the last two are those of children.
const REPORT = `import { readFileSync, writeFileSync } from 'node:fs';
process.on('exit', () => {
  const ticks = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ').slice(11, 15);
  const processor = ticks.reduce((sum, one) => sum + Number(one), 0) * 10;
  const memory = process.resourceUsage().maxRSS / 1024;
  writeFileSync(process.env.BENCH_USE, JSON.stringify({ processor, memory }));
});`;

/** What a run of a command uses. */
export interface Use {
  /** Of the process and the programs that it starts, in milliseconds. */
  readonly processor: number;
  /** The most that the process has, in megabytes. */
  readonly memory: number;
}

/** What a run of a command uses. Throws where it fails. */
export async function useOf(command: Command): Promise<Use> {
  const file = join(command.cwd, 'use');
  const hook = `--import=data:text/javascript,${encodeURIComponent(REPORT)}`;
  await timed({ ...command, env: { ...command.env, NODE_OPTIONS: hook, BENCH_USE: file } });
  const use: Use = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  return use;
}

/** The most memory that a run of a command has, in megabytes. */
export const peakMemory = async (command: Command): Promise<number> =>
  (await useOf(command)).memory;
