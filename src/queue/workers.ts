// The workers of a fleet. A paused worker keeps its session, and therefore the locks of its accounts. So it stays listed, and no
// other worker takes over its accounts.
import { accountOfKey } from './advance.ts';
import type { Statements } from './database.ts';

/** A worker, as the database knows it. */
export interface KnownWorker {
  readonly worker: string;
  readonly machine: string;
  /** In RFC 3339. */
  readonly since: string;
  /** Seconds since it was last heard of. */
  readonly silent: number;
  /** The accounts whose locks the worker took and has not released. */
  readonly accounts: readonly string[];
}

/** Records that a worker is alive. */
export async function seeWorker(
  { query }: Statements,
  {
    worker,
    fleet,
    machine,
  }: { readonly worker: string; readonly fleet: string; readonly machine: string },
): Promise<void> {
  await query(
    `insert into meshform_fleet.worker (worker, fleet, machine, since, seen_at)
     values ($1, $2, $3, clock_timestamp(), clock_timestamp())
     on conflict (worker) do update set seen_at = clock_timestamp()`,
    [worker, fleet, machine],
  );
}

/** Removes a worker from the list. */
export async function forgetWorker({ query }: Statements, worker: string): Promise<void> {
  await query('delete from meshform_fleet.worker where worker = $1', [worker]);
}

/** A worker that has not reported for this many seconds, and holds no lock, counts as dead and is not listed. */
const DEAD_AFTER = 60;

/** The workers of a fleet file. */
export async function workersOf(
  { query }: Statements,
  fleet: string,
): Promise<readonly KnownWorker[]> {
  const rows = await query<{
    worker: string;
    machine: string;
    since: Date;
    silent: number;
    accounts: readonly string[];
  }>(
    `select worker, machine, since,
       extract(epoch from clock_timestamp() - seen_at)::float8 as silent,
       coalesce((select array_agg(account order by account) from meshform_fleet.account_lock held
         where held.worker = known.worker and released is null), '{}') as accounts
     from meshform_fleet.worker known where fleet = $1 order by machine, worker`,
    [fleet],
  );
  return rows
    .filter(({ silent, accounts }) => silent < DEAD_AFTER || accounts.length > 0)
    .map(row => ({
      ...row,
      since: row.since.toISOString(),
      accounts: row.accounts.map(accountOfKey),
    }));
}
