// Looks up the records of users, and describes users in audit events.

import type { Meta } from '../records/audit-meta.ts';
import type { UserRecord } from '../records/people.ts';
import type { ApiRequest } from '../request/handler.ts';
import { notFound } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';

/**
 * The description of a user in an event, apart from the target. Names of people are not stored with it
 * (docs/server-behaviour.md#audit-events).
 */
export function userMeta({ name, is_service_user }: UserRecord): Meta {
  return { is_service_user: String(is_service_user), user_name: is_service_user ? name : '' };
}

/** Whether a user other than `except` has this email, ignoring case. */
export function isEmailTaken(account: Account, email: string, except?: string): boolean {
  const folded = email.toLowerCase();
  return account.users
    .all()
    .some(user => user.email.toLowerCase() === folded && user.id !== except);
}

/** The user in the path of a request. */
export function findUser(account: Account, request: ApiRequest): UserRecord {
  const id = request.path('userId');
  const user = account.users.get(id);
  if (user === undefined) throw notFound('user', id);
  return user;
}
