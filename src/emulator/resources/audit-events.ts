// The audit log in responses (docs/server-behaviour.md#timing-of-the-audit-log).

import { shownId } from '../ids/numbers.ts';
import type { EventRecord } from '../records/account.ts';
import { activityOf } from '../records/activities.ts';
import type { FormerUserRecord } from '../records/people.ts';
import { ok } from '../request/answer.ts';
import type { Handlers } from '../request/handler.ts';
import type { Account } from '../store/account.ts';

const MOST = 10_000;

/** A user who acts in an account that is not theirs: the log does not name them (docs/server-behaviour.md#msp-tenants). */
const EXTERNAL = { name: 'External', email: '' };

export const auditEvents: Handlers = {
  listAuditEvents: (account, _request, environment) => {
    const newest = account.events.all().toSorted(newestFirst).slice(0, MOST);
    return ok(
      withoutRepeatedJoins(newest).map(({ id, ...event }) => ({
        id: shownId(id, environment),
        ...view(account, event),
      })),
    );
  },
};

/** By time, then by number. */
function newestFirst(one: EventRecord, other: EventRecord): number {
  if (one.timestamp !== other.timestamp) return one.timestamp < other.timestamp ? 1 : -1;
  return Number(other.id) - Number(one.id);
}

/** The events without repeated joins. Of several events about the joining of one user, the log shows only the newest event. */
function withoutRepeatedJoins(events: readonly EventRecord[]): readonly EventRecord[] {
  const joined = new Set<string>();
  return events.filter(({ activity_code, target_id }) => {
    if (activity_code !== 'user.join') return true;
    const isFirst = !joined.has(target_id);
    joined.add(target_id);
    return isFirst;
  });
}

/** Names and emails are current, or the last known ones of a deleted user. */
function view(account: Account, event: Omit<EventRecord, 'id'>) {
  const { timestamp, activity_code, initiator_id, target_id, meta } = event;
  const initiator = meta.external === 'true' ? EXTERNAL : person(account, initiator_id);
  const target = person(account, target_id);
  const about = target === undefined ? {} : { email: target.email, username: target.name };
  return {
    timestamp,
    activity: activityOf(activity_code),
    activity_code,
    initiator_id,
    target_id,
    initiator_name: initiator?.name ?? '',
    initiator_email: initiator?.email ?? '',
    meta: { ...meta, ...about },
  };
}

function person(account: Account, id: string): FormerUserRecord | undefined {
  return account.users.get(id) ?? account.formerUsers.get(id);
}
