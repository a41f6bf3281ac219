// A fleet whose rollouts are carried out by processes, as on several machines: each has its own checkout, token and folder of journals.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { EmulatorOptions } from '../../src/emulator/index.ts';
import type { Ledger } from '../../src/model/rollout.ts';
import { type Database, openDatabase } from '../../src/queue/database.ts';
import { git } from '../support/git.ts';
import { LAUNCHER } from '../support/program/program.ts';
import { startMsp, type TestMsp } from '../support/servers/msp.ts';
import { type Front, startFront } from './front.ts';

/** A worker that was started. */
export interface TestWorker {
  /** Its tokens, one for each server. */
  readonly tokens: readonly string[];
  readonly process: ChildProcess;
  /** All that it has printed. */
  readonly output: () => string;
  /** Its id in the database. */
  readonly id: () => Promise<string>;
  /** Resolves to its exit code, or null after a signal. */
  readonly ended: Promise<number | null>;
}

/** A server of a fleet, with what it was asked. */
export interface FleetServer {
  readonly msp: TestMsp;
  readonly front: Front;
}

/** A fleet of workers. */
export interface WorkerFleet extends FleetServer {
  /** All servers; the first one is the only one unless the fleet has more. */
  readonly servers: readonly FleetServer[];
  readonly database: Database;
  /** The bare repository that is the remote of all checkouts. */
  readonly remote: string;
  readonly startWorker: (...words: readonly string[]) => Promise<TestWorker>;
  /** Starts a worker on a machine whose clock is ahead by so many milliseconds. */
  readonly startWorkerAhead: (milliseconds: number) => Promise<TestWorker>;
  /** Runs `meshform fleet` in the first checkout. */
  readonly fleet: (...words: readonly string[]) => Promise<{ code: number | null; output: string }>;
  /** The ledger as the database has it, open or finished. */
  readonly ledger: () => Promise<Ledger>;
  readonly close: () => Promise<void>;
}

/** What a fleet begins with. */
export interface WorkerFleetOptions {
  readonly url: string;
  /** How many tenants, in turn on each server. */
  readonly tenants: number;
  /** How many servers; one by default. The credentials of the first are `msp`, those of the others `msp2` and so on. */
  readonly servers?: number;
  /** How late each answer of the server is, in milliseconds. */
  readonly late: number;
  readonly files: Readonly<Record<string, string>>;
  /** What the server allows the token. With it, all workers have the same one; otherwise each has its own, by which the front tells them. */
  readonly rateLimit?: EmulatorOptions['rateLimit'];
}

const SIGNING_KEY = 'a'.repeat(64);

/** Waits until something holds; fails after so many milliseconds, with what `tell` knows. */
export async function until(
  what: string,
  patience: number,
  holds: () => Promise<boolean> | boolean,
  tell: () => Promise<string> | string = () => '',
): Promise<void> {
  const end = performance.now() + patience;
  while (!(await holds())) {
    if (performance.now() > end)
      throw new Error(`not within ${patience} ms: ${what}\n${await tell()}`);
    await pause(100);
  }
}

async function tokenOf(msp: TestMsp): Promise<string> {
  const { id: owner } = Object(await msp.call(undefined, 'GET', '/api/users/current')).body;
  const made = await msp.control(undefined, 'POST', '/emulator/tokens', { user_id: owner });
  return (made as { token: string }).token;
}

const nameOf = (server: number): string => (server === 0 ? 'msp' : `msp${server + 1}`);

const tokenVariable = (server: number): string => `MSP_TOKEN_${server + 1}`;

const credentialsOf = (servers: readonly FleetServer[]): string =>
  servers
    .map(
      ({ front }, i) => `${nameOf(i)}: { url: "${front.url}", token_env: ${tokenVariable(i)} }\n`,
    )
    .join('');

async function startServers({
  tenants,
  late,
  rateLimit,
  servers: count = 1,
}: WorkerFleetOptions): Promise<readonly [FleetServer, ...FleetServer[]]> {
  const start = async (server: number): Promise<FleetServer> => {
    const own = Array.from({ length: tenants }, (_, i) => i).filter(i => i % count === server);
    const msp = await startMsp({
      tenants: own.map(i => {
        const name = `t${String(i + 1).padStart(3, '0')}`;
        return { name, domain: `${name}.customer.example` };
      }),
      // Otherwise the accounts of all servers would have the same ids.
      seed: server + 1,
      clock: () => new Date(),
      ...(rateLimit && { rateLimit }),
    });
    return { msp, front: await startFront(msp, late) };
  };
  const first = await start(0);
  const others = Array.from({ length: count - 1 }, (_, i) => start(i + 1));
  return [first, ...(await Promise.all(others))];
}

const clockAhead = (milliseconds: number): string => {
  const script = `const { now } = Date; Date.now = () => now() + ${milliseconds};`;
  return `--import=data:text/javascript,${encodeURIComponent(script)}`;
};

/** Makes a fleet without workers. */
export async function startWorkerFleet(options: WorkerFleetOptions): Promise<WorkerFleet> {
  const home = await mkdtemp(join(tmpdir(), 'meshform-workers-'));
  // Whether a lost create is that of the run is decided by the times of the audit log.
  const { rateLimit } = options;
  const servers = await startServers(options);
  const [{ msp, front }] = servers;
  const remote = join(home, 'remote.git');
  git(home, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  const first = join(home, 'first');
  git(home, 'clone', '--quiet', remote, first);
  for (const [path, text] of Object.entries(options.files)) {
    mkdirSync(dirname(join(first, path)), { recursive: true });
    writeFileSync(join(first, path), text);
  }
  git(first, 'add', '--all');
  git(first, 'commit', '--quiet', '--message', 'A fleet');
  git(first, 'push', '--quiet', 'origin', 'HEAD:main');
  const workers: TestWorker[] = [];
  const database = await openDatabase(options.url, { name: 'test', onLost: () => {} });

  const start = (
    cwd: string,
    tokens: readonly string[],
    words: readonly string[],
    more: Readonly<Record<string, string>> = {},
  ) => {
    const credentials = `${cwd}.credentials.yaml`;
    writeFileSync(credentials, credentialsOf(servers));
    const child = spawn(process.execPath, [LAUNCHER, 'fleet', ...words], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        HOME: home,
        XDG_STATE_HOME: `${cwd}.state`,
        MESHFORM_FLEET_CREDENTIALS: credentials,
        MESHFORM_SIGNING_KEY: SIGNING_KEY,
        MESHFORM_DATABASE_URL: options.url,
        ...Object.fromEntries(tokens.map((token, i) => [tokenVariable(i), token])),
        ...more,
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => {
        output += data.toString();
      });
    const ended = new Promise<number | null>(resolve => child.on('close', resolve));
    return { process: child, output: () => output, ended };
  };

  const fleet = async (...words: readonly string[]) => {
    const tokens = servers.map(server => server.msp.token);
    const { ended, output } = start(first, tokens, words);
    return { code: await ended, output: output() };
  };

  const startWorker = async (
    words: readonly string[],
    more: Readonly<Record<string, string>> = {},
  ) => {
    const tokens = await Promise.all(
      servers.map(server => (rateLimit ? server.msp.token : tokenOf(server.msp))),
    );
    const folder = join(home, `worker${workers.length + 1}`);
    git(home, 'clone', '--quiet', remote, folder);
    const started = start(folder, tokens, ['worker', '--timeout', '2', ...words], more);
    const id = async () => {
      await until('a worker has started', 30_000, () => /^Worker \S+/m.test(started.output()));
      return /^Worker (\S+)/m.exec(started.output())?.[1] ?? '';
    };
    const worker = { ...started, tokens, id };
    workers.push(worker);
    return worker;
  };

  return {
    msp,
    front,
    servers,
    database,
    remote,
    fleet,
    startWorker: (...words) => startWorker(words),
    startWorkerAhead: milliseconds => startWorker([], { NODE_OPTIONS: clockAhead(milliseconds) }),
    ledger: async () => {
      const [row] = await database.query<{ ledger: string }>(
        'select ledger from meshform_fleet.rollout order by is_open desc limit 1',
      );
      return JSON.parse(row?.ledger ?? '{}');
    },
    close: async () => {
      for (const { process: one } of workers) {
        one.kill('SIGCONT');
        one.kill('SIGKILL');
      }
      await Promise.all(workers.map(({ ended }) => ended));
      await database.close();
      for (const server of servers) {
        server.front.close();
        await server.msp.close();
      }
      await rm(home, { recursive: true, force: true });
    },
  };
}
