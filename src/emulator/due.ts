// The background tasks of every account.

import { auditLog, publishEvents } from './audit/log.ts';
import type { Environment } from './environment.ts';
import { removeEphemeral } from './peers/ephemeral.ts';
import { expireJobs } from './peers/jobs.ts';
import { synchroniseDue } from './people/directory-sync.ts';
import { openAccount, openInstallation } from './store/account.ts';
import type { Rows } from './store/store.ts';

/** The initiator of the actions of the server itself (docs/server-behaviour.md#audit-events). */
const SERVER = 'sys';

/** Runs all tasks that are due, and returns the time of the next one; undefined if there is none. */
export function doDue(rows: Rows, environment: Environment): Date | undefined {
  const next = openInstallation(rows)
    .accounts.all()
    .flatMap(({ id }) => {
      const account = openAccount(rows, id, auditLog(rows, id, SERVER, environment));
      return [
        removeEphemeral(account, environment),
        expireJobs(account, environment),
        synchroniseDue(account, environment),
      ];
    });
  // Last, because the tasks above cause events too.
  const due = [...next, publishEvents(rows, environment)].flatMap(time => time?.getTime() ?? []);
  return due.length === 0 ? undefined : new Date(due.reduce((a, b) => Math.min(a, b)));
}
