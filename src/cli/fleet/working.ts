// `fleet worker`: carries out the jobs from a fleet's queue until it is interrupted.
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { newThrottle, type Throttle } from '../../api/transport/throttle.ts';
import type { Ledger } from '../../model/rollout.ts';
import { nameText } from '../../model/text/visible.ts';
import { loadSchemas, type Schemas } from '../../pipeline/schemas.ts';
import { advance, jobOver, keyOfAccount } from '../../queue/advance.ts';
import { carryRollout } from '../../queue/carrying.ts';
import { DatabaseClock } from '../../queue/databaseClock.ts';
import type { AccountJob, JobInHand } from '../../queue/jobs.ts';
import { readLedger } from '../../queue/ledgers.ts';
import { paceOf, sharedThrottle } from '../../queue/pace.ts';
import { type HeldSessionLock, SessionLocks } from '../../queue/sessionLock.ts';
import { forgetWorker, seeWorker } from '../../queue/workers.ts';
import type { Credential } from '../../read/fleet/credentials.ts';
import { jointListings } from '../../read/remote/jointListings.ts';
import { jointPushes } from '../../read/remote/jointPushes.ts';
import { PLAIN } from '../../report/text/style.ts';
import { errorText } from '../errorText.ts';
import { EXIT, exitOn } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { Stop } from '../stop.ts';
import { type ApplyFleetFlags, accountWork } from './applying.ts';
import { driftFleet } from './checking.ts';
import { type FleetRun, fleetRun, type Ran } from './eachAccount.ts';
import { fleetOrStop, type OpenFleet, openFleet } from './fleetFiles.ts';
import { type DatabaseFlags, type FleetQueue, withQueue } from './queues.ts';
import { type AccountWork, carryOut, isPassing } from './rollingOut.ts';
import { tellAccount } from './rolloutLines.ts';

/** The flags of `fleet worker`. */
export interface WorkerFlags
  extends Omit<
      ApplyFleetFlags,
      | 'continue'
      | 'accept'
      | 'shard'
      | 'digest'
      | 'yes'
      | 'deadline'
      | 'allow'
      | 'recordBase'
      | 'queue'
    >,
    DatabaseFlags {
  /** A folder with the saved plans, if this machine has them. */
  readonly plans?: string;
  /** The port for health checks. */
  readonly health?: number;
}

/** A temporary failure. The job is retried. */
class Passing extends Error {
  override readonly name = 'Passing';
}

/**
 * In milliseconds: how often the next jobs are queued (in addition to after each job), and how
 * often the worker reports that it is alive.
 */
const ADVANCES_EVERY = 2000;
const SEEN_EVERY = 5000;
const LOCK_AGAIN = 1000;

/**
 * Milliseconds without the database after which a worker is unhealthy. A worker recovers from a
 * restart of the database by itself.
 */
const UNHEALTHY_AFTER = 60_000;

/** Carries out jobs until somebody interrupts the worker; resolves to the exit code. Jobs in progress are completed first. */
export async function workFleet(path: string, flags: WorkerFlags, io: Io): Promise<number> {
  const tools = loadSchemas();
  const file = fleetOrStop(path, io);
  const { database } = flags;
  return withQueue(
    file,
    { ...(database !== undefined && { database }), isWorker: true },
    io,
    queue => new Worker(queue, { tools, path, flags, io }).work(),
  );
}

interface WorkerSettings {
  readonly tools: Schemas;
  readonly path: string;
  readonly flags: WorkerFlags;
  readonly io: Io;
}

/** One process that carries out jobs. */
class Worker {
  readonly #queue: FleetQueue;
  readonly #settings: WorkerSettings;
  readonly #id = randomUUID();
  readonly #locks: SessionLocks;
  readonly #clock: DatabaseClock;
  readonly #joint = { joined: jointPushes(), listedTogether: jointListings() };
  readonly #throttles = new Map<string, Throttle>();
  /** The fleet of the last rollout. Its accounts may change with each rollout. */
  #fleet: {
    readonly rollout: string;
    readonly run: Promise<FleetRun & { fleet: OpenFleet }>;
  } | null = null;
  #told = '';
  #seen = Number.NEGATIVE_INFINITY;

  constructor(queue: FleetQueue, settings: WorkerSettings) {
    this.#queue = queue;
    this.#settings = settings;
    const { io, flags } = settings;
    this.#clock = new DatabaseClock({ now: io.now(), monotonic: io.monotonic });
    this.#locks = new SessionLocks({
      database: queue.database,
      signer: queue.table.signer,
      worker: this.#id,
      requestLimit: flags.timeout * 1000,
      sleep: io.sleep,
      monotonic: io.monotonic,
    });
  }

  /** Carries out jobs until an interrupt. */
  async work(): Promise<number> {
    const { jobs, database } = this.#queue;
    const { io, flags, path } = this.#settings;
    const stop = Promise.withResolvers<void>();
    const ending = { isStopping: false };
    const release = io.onInterrupt(signal => {
      if (ending.isStopping && signal === 'SIGHUP') return;
      if (ending.isStopping) io.abort(exitOn(signal));
      ending.isStopping = true;
      say(io.stdout, 'Stopping: this worker first finishes the accounts that it has begun.');
      stop.resolve();
    });
    await this.#see();
    const probes = flags.health === undefined ? null : await answerProbes(flags.health, this, io);
    await jobs.work(flags.atOnce, inHand => this.#carry(inHand));
    await jobs.workScheduled(async () => {
      const looking = { ...flags, format: 'text' } as const;
      const share = (run: FleetRun) => this.#shared(run);
      const code = await driftFleet(path, looking, this.#accountIo(), share);
      return { code };
    });
    say(io.stdout, `Worker ${this.#id} takes jobs of ${nameText(this.#queue.path)}.`);
    const ticking = this.#tick(ending);
    try {
      await stop.promise;
      await jobs.stop();
      await ticking;
      await forgetWorker(database, this.#id).catch(() => {});
      return EXIT.done;
    } finally {
      release();
      probes?.close();
      await this.#locks.close();
    }
  }

  /** Whether the worker has recently reported to the database. */
  isHealthy(): boolean {
    return this.#settings.io.monotonic() - this.#seen < UNHEALTHY_AFTER;
  }

  // Queues the next jobs. Jobs are also queued after each job. But no job follows the end of a
  // watch time, or the death of a worker before it queued the next jobs.
  async #tick(ending: { readonly isStopping: boolean }): Promise<void> {
    const { io } = this.#settings;
    while (!ending.isStopping) {
      await this.#advance().catch(error => this.#tell(error));
      if (io.monotonic() - this.#seen >= SEEN_EVERY)
        await this.#see().catch(error => this.#tell(error));
      await io.sleep(ADVANCES_EVERY);
    }
  }

  async #see(): Promise<void> {
    const { database, path } = this.#queue;
    const { monotonic, self } = this.#settings.io;
    await seeWorker(database, { worker: this.#id, fleet: path, machine: self.host });
    await this.#clock.read(database);
    this.#seen = monotonic();
  }

  #tell(error: unknown): void {
    const { io } = this.#settings;
    this.#say(error instanceof Stop ? errorText(error, io, PLAIN).trimEnd() : messageOf(error));
  }

  // Reports a lasting problem only once.
  #say(sentence: string): void {
    const { io } = this.#settings;
    const text = io.secrets.redact(sentence);
    if (text !== this.#told) for (const line of text.split('\n')) say(io.stderr, line);
    this.#told = text;
  }

  async #advance(): Promise<void> {
    const { table, jobs, path } = this.#queue;
    const advanced = await advance({ table, jobs, fleet: path, now: this.#clock.now });
    if (advanced === null) return;
    const [refused] = advanced.refused;
    if (refused !== undefined)
      this.#say(
        `Error: ${nameText(refused)} cannot begin: the queue still has a job of another rollout for its account`,
      );
    if (advanced.step.is === 'stopped')
      this.#say(
        `The rollout is stopped: ${advanced.step.why}. \`meshform fleet status\` says more.`,
      );
    if (advanced.step.is === 'done') this.#say(`Rollout ${advanced.ledger.rollout} is complete.`);
  }

  /** Carries out one job. Rejects if the job should be retried. */
  async #carry(inHand: JobInHand): Promise<void> {
    const { database, table, path: fleet } = this.#queue;
    const { job } = inHand;
    const read = await readLedger(table, { rollout: job.rollout, fleet });
    const entry = 'refused' in read ? undefined : entryOf(read.ledger, job.account);
    if (entry !== undefined) {
      const lock = await this.#lockOf(keyOfAccount(entry), inHand.signal);
      // Another worker has taken the job.
      if (lock === null) return;
      try {
        await this.#carryHeld(job, lock);
      } finally {
        await lock.release();
      }
    } else if ('refused' in read) throw new Passing(`its ledger is ${read.refused}`);
    await database.transaction(async statements => {
      if (await inHand.complete(statements)) await jobOver(statements, job);
    });
    await this.#advance().catch(error => this.#tell(error));
  }

  // A paused worker keeps its locks, so its accounts wait for it.
  async #lockOf(account: string, signal: AbortSignal): Promise<HeldSessionLock | null> {
    const { io } = this.#settings;
    while (!signal.aborted) {
      const lock = await this.#locks.take(account);
      if (lock !== null) return lock;
      await io.sleep(LOCK_AGAIN, signal);
    }
    return null;
  }

  async #carryHeld(job: AccountJob, lock: HeldSessionLock): Promise<void> {
    const { table, path: fleet } = this.#queue;
    const { io } = this.#settings;
    const { rollout, account } = job;
    const runner = randomUUID();
    const held = await carryRollout(table, {
      rollout,
      fleet,
      account,
      runner,
      isHeld: lock.isHeld,
    });
    if ('refused' in held) throw new Passing(`its ledger is ${held.refused}`);
    const work = await this.#workOf(held.ledger(), lock);
    const lost = await carryOut(job.step, account, held, {
      work,
      now: this.#clock.now,
      clock: 'the clock of the database',
      onAccount: (name, ran) => tellAccount(name, ran, held.ledger(), io),
    });
    if (lost !== null) throw new Passing(lost);
  }

  async #workOf(ledger: Ledger, lock: HeldSessionLock): Promise<AccountWork> {
    const { flags } = this.#settings;
    const run = await this.#runOf(ledger.rollout);
    const settings = {
      folder: flags.plans,
      planFlags: ledger.flags,
      flags: { ...flags, outerLock: lock },
    };
    const work = accountWork(run, settings, this.#accountIo());
    const settled = async <T>(running: Promise<Ran<T>>): Promise<Ran<T>> => {
      const ran = await running;
      const isWell = ran.code === EXIT.done && (ran.value === undefined || !ran.value);
      if (isPassing(ran) || !(isWell || (await lock.isHeld())))
        throw new Passing(ran.why ?? 'the lock of the account was lost');
      return ran;
    };
    return {
      ...work,
      plan: account => settled(work.plan(account)),
      look: account => settled(work.look(account)),
      apply: (account, plan) => settled(work.apply(account, plan)),
      resume: (account, digest) => settled(work.resume(account, digest)),
    };
  }

  #runOf(rollout: string): Promise<FleetRun & { readonly fleet: OpenFleet }> {
    const known = this.#fleet;
    if (known?.rollout === rollout) return known.run;
    const run = this.#openRun();
    this.#fleet = { rollout, run };
    // After a failure, the list of tenants is read again for the next attempt.
    run.catch(() => {
      if (this.#fleet?.run === run) this.#fleet = null;
    });
    return run;
  }

  async #openRun(): Promise<FleetRun & { readonly fleet: OpenFleet }> {
    const { tools, path, flags, io } = this.#settings;
    const { timeout } = flags;
    const fleet = await openFleet(path, { kinds: tools.kinds, flags: { timeout } }, io);
    return { ...this.#shared(fleetRun({ tools, fleet }, flags, io)), fleet };
  }

  // The shared data of a run. All requests of this worker take turns with the requests of other
  // workers.
  #shared(run: FleetRun): FleetRun {
    const requests = this.#settings.flags.rate ?? run.fleet.fleet.rate?.requests;
    const interval = requests === undefined ? 0 : 60_000 / requests;
    return { ...run, throttleOf: credential => this.#throttleOf(credential, interval) };
  }

  #throttleOf({ url, token }: Credential, interval: number): Throttle {
    const { now, random, sleep } = this.#settings.io;
    const pace = paceOf(url, token);
    const key = `${pace} ${interval}`;
    const known = this.#throttles.get(key);
    if (known) return known;
    const own = newThrottle({ now, random, sleep });
    const throttle = sharedThrottle(this.#queue.database, pace, { own, interval, now, sleep });
    this.#throttles.set(key, throttle);
    return throttle;
  }

  // The effects for an account. An interrupt ends the worker, but the worker first completes the
  // accounts in progress, so an interrupt does not stop their applies. The clock is the clock of
  // all workers, so the clock of the server is compared with it.
  #accountIo(): Io {
    const { io } = this.#settings;
    return {
      ...io,
      now: this.#clock.now,
      joint: this.#joint,
      onInterrupt: () => () => {},
      interrupts: undefined,
    };
  }
}

/** Answers health checks with 200 while the worker reaches the database. */
async function answerProbes(
  port: number,
  worker: { readonly isHealthy: () => boolean },
  io: Io,
): Promise<Server> {
  const server = createServer((_, response) => {
    const isHealthy = worker.isHealthy();
    response.writeHead(isHealthy ? 200 : 503, { 'content-type': 'text/plain' });
    response.end(isHealthy ? 'ok\n' : 'the database does not answer\n');
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, resolve);
  await promise.catch((error: Error) => {
    throw new Stop(
      EXIT.environment,
      `nothing can answer at port ${port}: ${io.secrets.redact(error.message)}`,
      'choose another port with --health',
    );
  });
  return server;
}

const entryOf = (ledger: Ledger, name: string) =>
  ledger.accounts.find(account => account.name === name);

const messageOf = (error: unknown): string =>
  `Error: ${error instanceof Error ? error.message : String(error)}`;
