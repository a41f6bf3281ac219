// The database of the queue. Its packages are optional: nothing else in meshform loads them.
import type { Client, Pool } from 'pg';
import type { PgBoss } from 'pg-boss';

/** A row of a result. */
type Row = Readonly<Record<string, unknown>>;

/** Executes SQL statements. */
export interface Statements {
  readonly query: <R extends Row = Row>(
    text: string,
    values?: readonly unknown[],
  ) => Promise<readonly R[]>;
}

/** A separate connection. The locks of its session are released when it closes. */
export interface Session extends Statements {
  /** Whether the connection has not been reported closed. */
  readonly isOpen: () => boolean;
  readonly close: () => Promise<void>;
}

/** An open database. */
export interface Database extends Statements {
  readonly url: string;
  readonly transaction: <T>(use: (statements: Statements) => Promise<T>) => Promise<T>;
  readonly session: () => Promise<Session>;
  readonly close: () => Promise<void>;
}

/** A package of the queue is not installed. */
export class QueueMissing extends Error {
  override readonly name = 'QueueMissing';
}

/** How connections are opened; times in milliseconds. */
export interface DatabaseSettings {
  /** The name under which the database lists the connections. */
  readonly name: string;
  /** Called when an idle connection was lost. */
  readonly onLost?: (error: Error) => void;
}

/** The longest time, in milliseconds, for opening a connection and for the answer to a statement. */
const PATIENCE = 10_000;

/** The most connections for statements. A worker has one more for its locks, and the queue engine has its own. */
const CONNECTIONS = 4;

/** After 5 s of silence the server sends a probe; after two probes without an answer it ends the session. */
const KEEPALIVE =
  'set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 3; set tcp_keepalives_count = 2';

/**
 * Opens a database. Rejects with `QueueMissing` if its package is not installed. Connections are opened when they are first used.
 */
export async function openDatabase(
  url: string,
  { name, onLost }: DatabaseSettings,
): Promise<Database> {
  const { default: pg } = await installed('pg', () => import('pg'));
  const settings = {
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: PATIENCE,
    query_timeout: PATIENCE,
    keepAlive: true,
  };
  const pool = new pg.Pool({ ...settings, max: CONNECTIONS });
  pool.on('error', error => onLost?.(error));
  return {
    url,
    query: async (text, values = []) => (await pool.query(text, [...values])).rows,
    transaction: use => inTransaction(pool, use),
    session: () => openSession(new pg.Client(settings)),
    close: () => pool.end(),
  };
}

async function inTransaction<T>(
  pool: Pool,
  use: (statements: Statements) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let failed: Error | undefined;
  // Without a listener, a connection that is lost would end the process.
  const heard = (error: Error): void => {
    failed = error;
  };
  client.on('error', heard);
  try {
    await client.query('begin');
    const used = await use({
      query: async (text, values = []) => (await client.query(text, [...values])).rows,
    });
    await client.query('commit');
    return used;
  } catch (error) {
    await client.query('rollback').catch(heard);
    throw error;
  } finally {
    client.off('error', heard);
    client.release(failed ?? false);
  }
}

async function openSession(client: Client): Promise<Session> {
  let isOpen = true;
  const ended = (): void => {
    isOpen = false;
  };
  client.on('error', ended);
  client.on('end', ended);
  await client.connect();
  // A lost connection sends nothing, so without keepalives its locks would be held for hours. A paused process still answers
  // keepalives.
  await client.query(KEEPALIVE);
  let last: Promise<unknown> = Promise.resolve();
  return {
    isOpen: () => isOpen,
    // The locks of several accounts are checked at once, but a connection executes one statement after the other.
    query: <R extends Row>(text: string, values: readonly unknown[] = []) => {
      const ask = async () => (await client.query<R>(text, [...values])).rows;
      const asked = last.then(ask, ask);
      last = asked;
      return asked;
    },
    close: async () => {
      isOpen = false;
      await client.end().catch(() => {});
    },
  };
}

/** The queue engine on a database. It is not started. */
export async function openEngine(
  { url }: Database,
  { name, isWorker }: { readonly name: string; readonly isWorker: boolean },
): Promise<PgBoss> {
  const { PgBoss: Engine } = await installed('pg-boss', () => import('pg-boss'));
  return new Engine({
    connectionString: url,
    application_name: name,
    schema: ENGINE_SCHEMA,
    max: CONNECTIONS,
    supervise: isWorker,
    schedule: isWorker,
    // The job of a dead worker is noticed within a second after its heartbeat is due.
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
  });
}

/** The schema in which the queue engine keeps jobs. */
const ENGINE_SCHEMA = 'meshform_queue';

async function installed<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw new QueueMissing(`the package ${name} is not installed`, { cause: error });
  }
}
