// Where a part works: the repository, a scratch folder, its tools, and programs run to their end.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { missingTool, type ToolName, toolPath } from './tools.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly cwd?: string;
  /** All variables of the program; `env` of the bench if omitted. */
  readonly env?: NodeJS.ProcessEnv;
  /** The exit code that is expected, or `any`. 0 if omitted. */
  readonly exit?: number | 'any';
}

interface Started {
  readonly firstLine: string;
  /** Ends the program and returns its exit code. */
  readonly stop: (signal: NodeJS.Signals) => Promise<number | null>;
}

export interface Bench {
  /** The root of the repository. */
  readonly root: string;
  /** An empty folder, removed at the end. */
  readonly scratch: string;
  /** What a user's shell has: nothing of `npm run`, the Node of this process first. */
  readonly env: NodeJS.ProcessEnv;
  /** The path of a tool. */
  readonly tool: (name: ToolName) => string;
  /** Runs a program to its end. Throws with its output where it ends with another code than `exit`. */
  readonly run: (command: string, args: readonly string[], options?: RunOptions) => Promise<Ended>;
  /** Starts a program that runs until it is stopped. Resolves with the first line on stdout; it is killed at the end at the latest. */
  readonly start: (
    command: string,
    args: readonly string[],
    options?: Omit<RunOptions, 'exit'>,
  ) => Promise<Started>;
  /** Prints a figure or a remark below the step that runs. */
  readonly note: (line: string) => void;
  /** Runs at the end of the part, the last one first. */
  readonly onEnd: (end: () => Promise<unknown>) => void;
}

/** The folders of `PATH` that are not of an installed package. */
export const OUTER_PATH = (process.env.PATH ?? '')
  .split(':')
  .filter(folder => !folder.includes('node_modules'));

const ENV: NodeJS.ProcessEnv = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))),
  PATH: [dirname(process.execPath), ...OUTER_PATH].join(':'),
};

/** Opens a bench, and closes it whatever happens. */
export async function onBench<T>(use: (bench: Bench) => Promise<T>): Promise<T> {
  const scratch = await mkdtemp(join(tmpdir(), 'meshform-packaging-'));
  const ends: (() => Promise<unknown>)[] = [() => rm(scratch, { recursive: true, force: true })];
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const note = (line: string) => console.log(`         ${line}`);
  try {
    const onEnd = (end: () => Promise<unknown>) => void ends.push(end);
    const start: Bench['start'] = async (command, args, options = {}) => {
      const started = startProgram(command, args, options);
      onEnd(() => started.stop('SIGKILL'));
      return { ...started, firstLine: await started.firstLine };
    };
    return await use({ root, scratch, env: ENV, tool, run, start, note, onEnd });
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}

function tool(name: ToolName): string {
  const path = toolPath(name);
  if (path === undefined) throw new Error(missingTool(name));
  return path;
}

async function run(
  command: string,
  args: readonly string[],
  { cwd, env = ENV, exit = 0 }: RunOptions = {},
): Promise<Ended> {
  const child = spawn(command, args, {
    ...(cwd !== undefined && { cwd }),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise<number | null>((settle, reject) => {
    child.on('error', reject);
    child.on('close', settle);
  });
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    closed,
  ]);
  if (exit !== 'any' && code !== exit) {
    const line = [command, ...args].join(' ');
    throw new Error(
      `exit code ${code} instead of ${exit}: ${line}\n${tail(stdout)}${tail(stderr)}`,
    );
  }
  return { code, stdout, stderr };
}

function startProgram(
  command: string,
  args: readonly string[],
  { cwd, env = ENV }: RunOptions,
): Omit<Started, 'firstLine'> & { readonly firstLine: Promise<string> } {
  const child = spawn(command, args, {
    ...(cwd !== undefined && { cwd }),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise<number | null>(settle => child.on('close', settle));
  const stderr = text(child.stderr);
  const firstLine = new Promise<string>((settle, reject) => {
    child.on('error', reject);
    const lines = createInterface({ input: child.stdout });
    lines.once('line', settle);
    lines.once('close', async () => reject(new Error(`${command} ended\n${tail(await stderr)}`)));
  });
  const stop = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return closed;
  };
  return { firstLine, stop };
}

const tail = (output: string): string => output.split('\n').slice(-40).join('\n');
