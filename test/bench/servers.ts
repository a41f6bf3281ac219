// The servers of the bench, each in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Answers, BENCH_TOKEN } from './account.ts';

/** Starts the program as a process. */
export const LAUNCHER: string = fileURLToPath(new URL('../../bin/meshform.js', import.meta.url));
const BARE = fileURLToPath(new URL('./bareServer.ts', import.meta.url));

/** A server that runs. */
export interface Server {
  readonly url: string;
  /** The environment that leads a command to it. */
  readonly env: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

/** A bare server with these answers. */
export async function bareServer(folder: string, answers: Answers): Promise<Server> {
  const file = join(folder, 'recording.json');
  writeFileSync(file, JSON.stringify(answers));
  return started([BARE, file], folder);
}

/** The emulator with a snapshot. */
export async function emulator(folder: string, snapshot: string): Promise<Server> {
  const file = join(folder, 'snapshot.json');
  writeFileSync(file, snapshot);
  const flags = ['--dialect', 'netbird', '--format', 'json', '--token', BENCH_TOKEN];
  return started([LAUNCHER, 'emulator', ...flags, '--snapshot', file], folder);
}

/** How tenants of a provider begin, and what their server does. */
interface TenantSettings {
  readonly count: number;
  /** The state of each; that of a new account if absent. */
  readonly snapshot?: string;
  /** Further flags of `meshform emulator`. */
  readonly flags?: readonly string[];
}

/** The emulator with the tenants of one provider. */
export async function tenants(
  folder: string,
  { count, snapshot, flags: more = [] }: TenantSettings,
): Promise<Server> {
  const file = join(folder, 'tenant.json');
  if (snapshot !== undefined) writeFileSync(file, snapshot);
  const flags = ['--dialect', 'netbird', '--format', 'json', '--token', BENCH_TOKEN];
  const state = snapshot === undefined ? ['--msp'] : ['--tenant-snapshot', file];
  const accounts = ['--accounts', String(count + 1), ...state, ...more];
  return started([LAUNCHER, 'emulator', ...flags, ...accounts], folder);
}

/** What a bare server counted since it was reset, and resets it. */
export async function countedBy(server: Server): Promise<Counted> {
  const answer = await fetch(`${server.url}/bench/requests`);
  const counted = (await answer.json()) as Counted;
  await reset(server);
  return counted;
}

/** Requests to a bare server, and what they wrote. */
export interface Counted {
  readonly requests: number;
  /** The paths that were read, in order. */
  readonly reads: readonly string[];
  readonly writes: readonly { readonly path: string; readonly body: string }[];
}

/** Forgets what was written to a bare server. */
export async function reset({ url }: Pick<Server, 'url'>): Promise<void> {
  await fetch(`${url}/bench/reset`, { method: 'POST' });
}

async function started(argv: readonly string[], cwd: string): Promise<Server> {
  const child = spawn(process.execPath, argv, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const { url } = JSON.parse(await firstLine(child)) as { readonly url: string };
  return {
    url,
    env: { MESHFORM_URL: url, MESHFORM_TOKEN: BENCH_TOKEN },
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout) for await (const line of createInterface({ input: stdout })) return line;
  throw new Error('a server did not start');
}
