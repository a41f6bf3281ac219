// The lock of an account among workers: a lock of a database session, which is released when the connection closes. A worker that
// lost its connection writes nothing more, and the next holder first waits for as long as the lost worker's last write may take.
import { createHash, randomUUID } from 'node:crypto';
import type { Signer } from '../model/signer.ts';
import type { Database, Session, Statements } from './database.ts';

/** The lock of an account that a worker holds. */
export interface HeldSessionLock {
  /** Whether a write may begin now: the session has answered, and the writes of a lost holder are over. */
  readonly mayWrite: () => Promise<boolean>;
  /** Whether the session has answered. After the first failure, the result stays false. */
  readonly isHeld: () => Promise<boolean>;
  /**
   * Records the id under which this holder will take the account's other lock. Called before that
   * lock is taken.
   */
  readonly announceHolder: (id: string) => Promise<void>;
  /** Whether an id belongs to a lost holder of this lock, which writes nothing more. */
  readonly isLost: (id: string) => boolean;
  readonly release: () => Promise<void>;
}

/** How the locks of a worker are taken. */
export interface SessionLockSettings {
  readonly database: Database;
  /**
   * Signs the record that the next holder trusts: write access to the database alone must not allow anybody to end another
   * worker's lock.
   */
  readonly signer: Signer;
  /** The id of the worker. */
  readonly worker: string;
  /** The longest that a request of this worker may take, in milliseconds. */
  readonly requestLimit: number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Milliseconds on a monotonic clock. */
  readonly monotonic: () => number;
}

/** The locks that one worker holds, in one session. */
export class SessionLocks {
  readonly #settings: SessionLockSettings;
  #session: Promise<Session> | null = null;
  /**
   * The locks of this process. PostgreSQL lets a session take a lock twice, but two jobs of one process must not both hold it.
   */
  readonly #own = new Set<string>();

  constructor(settings: SessionLockSettings) {
    this.#settings = settings;
  }

  /** Takes the lock of an account; null if another worker holds it. Rejects if the database does not answer. */
  async take(account: string): Promise<HeldSessionLock | null> {
    if (this.#own.has(account)) return null;
    this.#own.add(account);
    try {
      const session = await this.#open();
      const [row] = await session.query<{ readonly is_taken: boolean }>(
        'select pg_try_advisory_lock($1::bigint) as is_taken',
        [keyOf(account)],
      );
      if (row?.is_taken === true) return await this.#hold(account, session);
    } catch (error) {
      this.#own.delete(account);
      throw error;
    }
    this.#own.delete(account);
    return null;
  }

  /** Ends the session, and with it all locks that are held. */
  async close(): Promise<void> {
    const session = await this.#session?.catch(() => null);
    await session?.close();
  }

  // Calls run one after the other. Otherwise two concurrent calls could each open a session, and nobody would close one of them.
  #open(): Promise<Session> {
    const { database } = this.#settings;
    const before = this.#session?.catch(() => null) ?? Promise.resolve(null);
    const opening = before.then(session => (session?.isOpen() ? session : database.session()));
    this.#session = opening;
    return opening;
  }

  async #hold(account: string, session: Session): Promise<HeldSessionLock> {
    const { monotonic, sleep, signer } = this.#settings;
    const { taking, lost, wait } = await this.#follow(account, session);
    const writesFrom = monotonic() + wait;
    let isOver = false;
    const isHeld = async (): Promise<boolean> => {
      if (isOver || !session.isOpen()) return false;
      const isThere = await session.query(HAS_LOCK, [keyOf(account)]).then(
        rows => rows.length > 0,
        () => false,
      );
      if (!isThere) {
        isOver = true;
        // A session that no longer answers may still hold its locks, and then nobody else could take them.
        void session.close();
      }
      return isThere && session.isOpen();
    };
    return {
      isHeld,
      mayWrite: async () => {
        const left = writesFrom - monotonic();
        if (left > 0) await sleep(left);
        return isHeld();
      },
      announceHolder: async id => {
        await session.query(
          `insert into meshform_fleet.lock_holder (account, id, hmac) values ($1, $2, $3)
           on conflict do nothing`,
          [account, id, signer.sign('worker lock', holderText(account, id))],
        );
      },
      isLost: id => lost.has(id),
      release: async () => {
        isOver = true;
        const release = signer.sign('worker lock', releaseText(account, taking));
        await released(account, { taking, release }, session).catch(() => session.close());
        this.#own.delete(account);
      },
    };
  }

  // Records who holds the lock now. Resolves to the known facts about a holder that did not release
  // the lock.
  async #follow(account: string, session: Session): Promise<Followed> {
    const { worker, requestLimit, signer } = this.#settings;
    const isSigned = (text: string, hmac: string | null) =>
      hmac !== null && signer.isSigned('worker lock', text, hmac);
    const [before] = await session.query<Before>(
      'select taking, request_limit, released from meshform_fleet.account_lock where account = $1',
      [account],
    );
    const holders = await session.query<{ id: string; hmac: string }>(
      'select id, hmac from meshform_fleet.lock_holder where account = $1',
      [account],
    );
    const taking = randomUUID();
    await session.query(
      `insert into meshform_fleet.account_lock (account, worker, taking, since, request_limit, released)
       values ($1, $2, $3, clock_timestamp(), $4, null)
       on conflict (account) do update set worker = excluded.worker, taking = excluded.taking,
         since = excluded.since, request_limit = excluded.request_limit, released = null`,
      [account, worker, taking, requestLimit],
    );
    const isReleased =
      before === undefined || isSigned(releaseText(account, before.taking), before.released);
    const lost = holders.filter(({ id, hmac }) => isSigned(holderText(account, id), hmac));
    return {
      taking,
      lost: new Set(lost.map(({ id }) => id)),
      wait: isReleased ? 0 : Math.max(before.request_limit, requestLimit),
    };
  }
}

/** The record of the previous holder. */
interface Followed {
  /** The id of this acquisition of the lock. */
  readonly taking: string;
  /** The ids under which lost holders took the account's other lock. */
  readonly lost: ReadonlySet<string>;
  /** How long this holder must wait before its first write, in milliseconds from now. */
  readonly wait: number;
}

interface Before extends Readonly<Record<string, unknown>> {
  readonly taking: string;
  readonly request_limit: number;
  readonly released: string | null;
}

const holderText = (account: string, id: string): string => JSON.stringify(['holder', account, id]);

const releaseText = (account: string, taking: string): string =>
  JSON.stringify(['released', account, taking]);

// Asks whether this connection still has the lock, because a pooler may give a session another connection, and because a
// `discard all` by anybody releases the locks of a connection.
const HAS_LOCK = `
select 1 from pg_locks where locktype = 'advisory' and granted and pid = pg_backend_pid() and objsubid = 1
  and database = (select oid from pg_database where datname = current_database())
  and classid = (($1::bigint >> 32) & 4294967295)::oid and objid = ($1::bigint & 4294967295)::oid`;

async function released(
  account: string,
  { taking, release }: { readonly taking: string; readonly release: string },
  { query }: Statements,
): Promise<void> {
  const own = await query(
    `update meshform_fleet.account_lock set released = $3
     where account = $1 and taking = $2 returning account`,
    [account, taking, release],
  );
  // The record of the next holder must not be deleted.
  if (own.length > 0)
    await query('delete from meshform_fleet.lock_holder where account = $1', [account]);
  await query('select pg_advisory_unlock($1::bigint)', [keyOf(account)]);
}

/** The number by which the database knows the lock of an account. */
const keyOf = (account: string): string =>
  createHash('sha256').update(`meshform account ${account}`).digest().readBigInt64BE().toString();
