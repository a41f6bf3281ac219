// The jobs of the queue engine: one for each account, with references only. The job of a dead worker goes to another worker.
import { createHash } from 'node:crypto';
import type { Db, JobWithMetadata, PgBoss } from 'pg-boss';
import { type Database, openEngine, type Statements } from './database.ts';

/**
 * The content of a job, which only refers to its account. A worker takes the credentials from its own files and environment, and
 * the permitted step from the signed ledger. So an edited job can neither send a token elsewhere nor begin an account before its
 * turn.
 */
export interface AccountJob {
  readonly rollout: string;
  /** The name of the account in the fleet. */
  readonly account: string;
  readonly step: 'apply' | 'check';
}

/** A job that is not tried again, because too many attempts have failed. */
export interface DeadLetter extends AccountJob {
  /** In RFC 3339. */
  readonly at: string;
  readonly why: string;
}

/** A job that a worker is carrying out. */
export interface JobInHand {
  readonly job: AccountJob;
  /** Aborted once the queue has given the job to somebody else. */
  readonly signal: AbortSignal;
  /** Ends the job, in a transaction; false if the queue has given it to somebody else. */
  readonly complete: (statements: Statements) => Promise<boolean>;
}

/** The jobs of a fleet file. */
export interface Jobs {
  /** Sends a job in a transaction; false if the account already has one. */
  readonly send: (statements: Statements, account: string, job: AccountJob) => Promise<boolean>;
  /** The job that an account has; undefined if it has none. */
  readonly jobOf: (account: string) => Promise<AccountJob | undefined>;
  /** Carries out jobs until `stop` is called. If the handler rejects, its job is tried again. */
  readonly work: (atOnce: number, handle: (inHand: JobInHand) => Promise<void>) => Promise<void>;
  /** Carries out the jobs of a schedule. */
  readonly workScheduled: (handle: () => Promise<object>) => Promise<void>;
  readonly schedule: (cron: string) => Promise<void>;
  readonly unschedule: () => Promise<void>;
  /** The schedule; undefined if there is none. */
  readonly scheduled: () => Promise<string | undefined>;
  readonly deadLetters: () => Promise<readonly DeadLetter[]>;
  /** Removes the dead letters of a rollout that continues. */
  readonly buryDead: (rollout: string) => Promise<void>;
  /** Takes no more jobs, and resolves once the present ones have ended. */
  readonly stop: () => Promise<void>;
}

/** How a fleet file's jobs are opened. */
export interface JobSettings {
  /** The path of the fleet file from the root of its repository. */
  readonly fleet: string;
  readonly name: string;
  /** Whether this process carries out jobs. */
  readonly isWorker: boolean;
  /** Called with each error of the queue; the queue continues. */
  readonly onTrouble: (error: Error) => void;
}

/** In seconds. The engine accepts no shorter heartbeat than 10. */
const TIMES = {
  heartbeat: 10,
  refresh: 3,
  poll: 0.5,
  firstRetry: 1,
  longestRetry: 60,
  /**
   * The limit is as long as possible, because an apply has its own limits, or waits for a paused worker. The engine accepts a
   * day.
   */
  longestJob: 24 * 3600 - 1,
  keepDone: 24 * 3600,
} as const;

/** How often a job is tried again after the death of its worker or a transient failure. */
const RETRIES = 6;

/** The most dead letters that are listed. */
const LISTED = 1000;

/** The name of the queue that belongs to a fleet file. */
const queueOf = (fleet: string): string =>
  `fleet-${createHash('sha256').update(fleet).digest('hex').slice(0, 16)}`;

/** Opens the queues of a fleet file, creating them if they are missing. */
export async function openJobs(database: Database, settings: JobSettings): Promise<Jobs> {
  const engine = await openEngine(database, settings);
  engine.on('error', settings.onTrouble);
  await engine.start();
  const { queue, dead, drift } = await makeQueues(engine, settings.fleet);
  let stopping: Promise<void> | undefined;
  return {
    send: async (statements, account, job) =>
      (await engine.send(queue, job, { singletonKey: account, db: engineOn(statements) })) !== null,
    jobOf: async account => {
      const byAccount = { key: account, queued: false, limit: LISTED };
      const found = await engine.findJobs<AccountJob>(queue, byAccount);
      return found.find(({ state }) => OPEN.has(state))?.data;
    },
    work: (atOnce, handle) => workOn(engine, queue, { atOnce, handle }),
    workScheduled: async handle => {
      const options = { pollingIntervalSeconds: 2, heartbeatRefreshSeconds: TIMES.refresh };
      await engine.work(drift, options, handle);
    },
    schedule: cron => engine.schedule(drift, cron),
    unschedule: () => engine.unschedule(drift),
    scheduled: async () => (await engine.getSchedules(drift))[0]?.cron,
    deadLetters: async () => {
      const found = await engine.findJobs<AccountJob>(dead, { limit: LISTED });
      return found.filter(({ state }) => OPEN.has(state)).map(letterOf);
    },
    buryDead: async rollout => {
      const found = await engine.findJobs<AccountJob>(dead, { data: { rollout }, limit: LISTED });
      const ids = found.map(({ id }) => id);
      if (ids.length > 0) await engine.deleteJob(dead, ids);
    },
    stop: () => {
      stopping ??= stopped(engine, settings.isWorker ? [queue, drift] : []);
      return stopping;
    },
  };
}

/** The names of a fleet file's queues. */
interface Queues {
  /** The queue of the jobs of accounts. */
  readonly queue: string;
  /** The queue of jobs that failed too often. */
  readonly dead: string;
  /** The queue of the schedule. */
  readonly drift: string;
}

async function makeQueues(engine: PgBoss, fleet: string): Promise<Queues> {
  const queue = queueOf(fleet);
  const dead = `${queue}-dead`;
  const drift = `${queue}-drift`;
  await engine.createQueue(dead);
  await engine.createQueue(queue, {
    // An account has at most one job. Under the default policy, several jobs could have the same key.
    policy: 'exclusive',
    deadLetter: dead,
    heartbeatSeconds: TIMES.heartbeat,
    retryLimit: RETRIES,
    retryDelay: TIMES.firstRetry,
    retryBackoff: true,
    retryDelayMax: TIMES.longestRetry,
    expireInSeconds: TIMES.longestJob,
    deleteAfterSeconds: TIMES.keepDone,
  });
  await engine.createQueue(drift, {
    policy: 'exclusive',
    heartbeatSeconds: TIMES.heartbeat,
    expireInSeconds: TIMES.longestJob,
    deleteAfterSeconds: TIMES.keepDone,
  });
  return { queue, dead, drift };
}

interface Working {
  readonly atOnce: number;
  readonly handle: (inHand: JobInHand) => Promise<void>;
}

async function workOn(engine: PgBoss, queue: string, { atOnce, handle }: Working): Promise<void> {
  const options = {
    localConcurrency: atOnce,
    pollingIntervalSeconds: TIMES.poll,
    heartbeatRefreshSeconds: TIMES.refresh,
  };
  await engine.work<AccountJob>(queue, options, async jobs => {
    for (const job of jobs) {
      const complete = async (statements: Statements): Promise<boolean> => {
        const db = engineOn(statements);
        // If another worker has the job by now, this changes nothing.
        await engine.complete(queue, job, null, { db });
        const [found] = await engine.findJobs(queue, { id: job.id, db });
        return found?.state === 'completed';
      };
      await handle({ job: job.data, signal: job.signal, complete });
    }
  });
}

/** The states of a job that has not ended. */
const OPEN: ReadonlySet<string> = new Set(['created', 'retry', 'active']);

async function stopped(engine: PgBoss, queues: readonly string[]): Promise<void> {
  await Promise.all(queues.map(queue => engine.offWork(queue, { wait: true })));
  await engine.stop({ graceful: true });
}

const engineOn = ({ query }: Statements): Db => ({
  executeSql: async (text, values = []) => ({ rows: [...(await query(text, values))] }),
});

function letterOf({ data, createdOn, output }: JobWithMetadata<AccountJob>): DeadLetter {
  const { message } = Object(Object(output).value ?? output);
  const why = typeof message === 'string' ? message : 'its workers died';
  return { ...data, at: createdOn.toISOString(), why };
}
