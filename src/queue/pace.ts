// The pace of a token, shared by all workers: a row in the database from which each request takes its turn.
import { createHash } from 'node:crypto';
import type { Permit, Throttle } from '../api/transport/throttle.ts';
import type { Database } from './database.ts';

/** The settings of a shared throttle; times are in milliseconds. */
export interface SharedPace {
  /** The throttle of this process, which learns the server's limit from its answers. */
  readonly own: Throttle;
  /** The time between two requests with the token, whichever worker sends them. */
  readonly interval: number;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** No request starts at this time or later. */
  readonly until?: number | undefined;
}

/** The key of a token's row: a hash of the token and of the address that the token is for. */
export const paceOf = (url: string, token: string): string =>
  createHash('sha256').update(`${url} ${token}`).digest('hex');

const TAKE = `
insert into meshform_fleet.pace as pace (token, next_at, closed_until, closings)
values ($1, clock_timestamp() + $2::float8 * interval '1 ms', '-infinity', 0)
on conflict (token) do update
  set next_at = greatest(pace.next_at, pace.closed_until, clock_timestamp()) + $2::float8 * interval '1 ms'
returning closings,
  extract(epoch from pace.next_at - clock_timestamp())::float8 * 1000 - $2::float8 as wait`;

// Makes all assigned turns void: a worker that waits for such a turn then takes a new one.
const CLOSE = `
update meshform_fleet.pace set closings = closings + 1,
  closed_until = greatest(closed_until, clock_timestamp() + $2::float8 * interval '1 ms'),
  next_at = clock_timestamp() + $2::float8 * interval '1 ms'
where token = $1`;

/**
 * After a shorter wait, in milliseconds, a worker does not check whether its turn is still valid: the turn is too recent for
 * another worker to have received a 429 since.
 */
const SHORT = 20;

/**
 * The time between two requests, in milliseconds, while the database does not answer. Such requests only read, because without
 * the database a worker loses the locks of its accounts.
 */
const WITHOUT = 1000;

/** The throttle that all workers share for a token. A 429 for one worker slows down all workers. */
export function sharedThrottle(database: Database, token: string, pace: SharedPace): Throttle {
  const { own, now, sleep, until = Number.POSITIVE_INFINITY } = pace;
  let { interval } = pace;
  const row = new PaceRow(database, token);
  return {
    rate: () => rateOf(own.rate(), interval),
    limit: requests => {
      own.limit(requests);
      interval = Math.max(interval, 60_000 / requests);
    },
    turn: async () => {
      const permit = await own.turn();
      if (permit === null) return null;
      for (;;) {
        const { wait, closings } = await row.take(interval);
        if (now() + wait >= until) {
          permit.passed();
          return null;
        }
        if (wait > 0) await sleep(wait);
        if (wait < SHORT || (await row.isStill(closings)))
          return closingFor(permit, pause => row.close(pause));
      }
    },
  };
}

/** A turn to send a request, and how often all turns were void when it was assigned; null if the database did not answer. */
interface Turn {
  readonly wait: number;
  readonly closings: string | null;
}

/** The row of a token. */
class PaceRow {
  readonly #database: Database;
  readonly #token: string;
  #closing: Promise<unknown> = Promise.resolve();

  constructor(database: Database, token: string) {
    this.#database = database;
    this.#token = token;
  }

  async take(interval: number): Promise<Turn> {
    try {
      await this.#closing;
      const [row] = await this.#database.query<{ closings: string; wait: number }>(TAKE, [
        this.#token,
        interval,
      ]);
      return { wait: row?.wait ?? 0, closings: row?.closings ?? null };
    } catch {
      return { wait: Math.max(interval, WITHOUT), closings: null };
    }
  }

  /** Whether no turn was declared void since `closings`. */
  async isStill(closings: string | null): Promise<boolean> {
    if (closings === null) return true;
    const rows = await this.#database
      .query('select closings from meshform_fleet.pace where token = $1 and closings <> $2', [
        this.#token,
        closings,
      ])
      .catch(() => []);
    return rows.length === 0;
  }

  /** Declares all turns void, and assigns none for this many milliseconds. */
  close(pause: number): void {
    this.#closing = this.#database.query(CLOSE, [this.#token, pause]).catch(() => {});
  }
}

const closingFor = ({ passed, throttled }: Permit, close: (pause: number) => void): Permit => ({
  passed,
  throttled: asked => {
    const effect = throttled(asked);
    if (effect?.isNew === true) close(effect.pause);
    return effect;
  },
});

function rateOf(own: number | null, interval: number): number | null {
  const shared = interval > 0 ? 60_000 / interval : null;
  if (own === null || shared === null) return own ?? shared;
  return Math.min(own, shared);
}
