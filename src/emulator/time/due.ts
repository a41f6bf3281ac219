// What the emulator does by itself once it is due, in every account.
import { openAccount, openInstallation } from '../account/account.ts';
import { auditLog, publishEvents } from '../audit/log.ts';
import type { Environment } from '../environment.ts';
import { removeEphemeral } from '../peers/ephemeral.ts';
import { expireJobs } from '../peers/jobs.ts';
import { synchroniseDue } from '../people/directory-sync.ts';
import type { Rows } from '../store/store.ts';

/** The initiator of what the server does by itself (docs/server-behaviour.md#audit-events). */
const SERVER = 'sys';

/** Does all that is due, and says when there will be more; nothing where there is no more. */
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
  // Last, since what is done above is told of as well.
  const due = [...next, publishEvents(rows, environment)].flatMap(time => time?.getTime() ?? []);
  return due.length === 0 ? undefined : new Date(due.reduce((a, b) => Math.min(a, b)));
}
