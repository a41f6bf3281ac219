// The background tasks of accounts. An account is examined only if it was written to, or if one of its tasks is due, because an
// installation may have hundreds of accounts while a request concerns only one.

import { auditLog, publishEvents } from './audit/log.ts';
import type { Environment } from './environment.ts';
import { removeEphemeral } from './peers/ephemeral.ts';
import { expireJobs } from './peers/job-ends.ts';
import { synchroniseDue } from './people/directory-sync.ts';
import { openAccount, openInstallation } from './store/account.ts';
import type { Rows, Store } from './store/store.ts';

/** The initiator of the actions of the server itself (docs/server-behaviour.md#audit-events). */
const SERVER = 'sys';

export interface Agenda {
  /** The store to use from now on. It records which accounts its writes concern. */
  readonly store: Store;
  /** Runs all tasks that are due, and returns the time of the next task; undefined if there is none. */
  doDue(rows: Rows, environment: Environment): Date | undefined;
}

/** The tasks of a store. At first, every account has to be examined. */
export function newAgenda(store: Store): Agenda {
  const accounts = store.transaction(rows => openInstallation(rows).accounts.all());
  const written = new Set(accounts.map(({ id }) => id));
  /** The time of the next task of each account that has a pending task. */
  const next = new Map<string, number>();
  return {
    store: noting(store, scope => written.add(scope)),
    doDue: (rows, environment) => {
      const now = environment.clock().getTime();
      for (const [id, time] of next) if (time <= now) written.add(id);
      const { accounts: known } = openInstallation(rows);
      for (const id of [...written]) {
        next.delete(id);
        if (known.get(id) === undefined) continue;
        const time = earliest(tasksOf(rows, id, environment));
        if (time !== undefined) next.set(id, time);
      }
      // Events are published last, because the tasks above also cause events.
      const due = earliest([publishEvents(rows, environment)]);
      written.clear();
      const first = [...next.values()].reduce(
        (a, b) => Math.min(a, b),
        due ?? Number.POSITIVE_INFINITY,
      );
      return first === Number.POSITIVE_INFINITY ? undefined : new Date(first);
    },
  };
}

function tasksOf(rows: Rows, id: string, environment: Environment) {
  const account = openAccount(rows, id, auditLog(rows, id, SERVER, environment));
  return [
    removeEphemeral(account, environment),
    expireJobs(account, environment),
    synchroniseDue(account, environment),
  ];
}

function earliest(times: readonly (Date | undefined)[]): number | undefined {
  const known = times.flatMap(time => time?.getTime() ?? []);
  return known.length === 0 ? undefined : known.reduce((a, b) => Math.min(a, b));
}

/** A store that passes everything on to `store`, and calls `note` with the scope of each written row. */
function noting(store: Store, note: (scope: string) => void): Store {
  return {
    close: store.close,
    transaction: work =>
      store.transaction(rows =>
        work({
          ...rows,
          put: (scope, table, key, value) => {
            note(scope);
            rows.put(scope, table, key, value);
          },
          remove: (scope, table, key) => {
            note(scope);
            rows.remove(scope, table, key);
          },
        }),
      ),
  };
}
