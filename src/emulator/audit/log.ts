// Writes the audit log. An event is recorded in the transaction of the change, so that neither exists without the other. It
// appears in the log some time later (docs/server-behaviour.md#audit-log).

import type { Environment } from '../environment.ts';
import { nextNumber } from '../ids/numbers.ts';
import type { EventRecord } from '../records/account.ts';
import type { Log } from '../records/audit-event.ts';
import { type Account, openAccount, openInstallation } from '../store/account.ts';
import type { Rows } from '../store/store.ts';
import { timestamp, timestampAfter } from '../time/times.ts';
import { dispatch } from './dispatch.ts';

/** The initiator of events: a user of the account, or a user of another account, whose events are marked. */
type Initiator = string | { readonly external: string };

/** The log of an account. `initiator` is the initiator of events that name none. */
export function auditLog(
  rows: Rows,
  account: string,
  initiator: Initiator,
  environment: Environment,
): Log {
  const { pendingEvents } = openInstallation(rows);
  const own = typeof initiator === 'string' ? initiator : initiator.external;
  const isExternal = typeof initiator !== 'string';
  return ({ code, target, meta = {}, initiator: other = own }) =>
    pendingEvents.put({
      id: environment.newId(),
      account,
      due: timestampAfter(environment.clock, environment.eventDelay),
      event: {
        timestamp: timestamp(environment.clock),
        activity_code: code,
        initiator_id: other,
        target_id: target,
        meta: isExternal && other === own ? { ...meta, external: 'true' } : meta,
      },
    });
}

/** Delivers every event that is due, and returns the time of the next event; undefined if there is none. */
export function publishEvents(rows: Rows, environment: Environment): Date | undefined {
  const { pendingEvents } = openInstallation(rows);
  const now = timestamp(environment.clock);
  const accounts = new Map<string, Account>();
  let next: string | undefined;
  for (const { id, account, due, event } of pendingEvents.all()) {
    if (due > now) {
      next = next === undefined || due < next ? due : next;
      continue;
    }
    const open = accounts.get(account) ?? openAccount(rows, account);
    accounts.set(account, open);
    const shown: EventRecord = { id: String(nextNumber(open, 'events')), ...event };
    open.events.put(shown);
    dispatch(open, shown, environment);
    pendingEvents.remove(id);
  }
  return next === undefined ? undefined : new Date(next);
}
