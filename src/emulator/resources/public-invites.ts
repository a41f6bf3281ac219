// Operations that the token of an invite allows without credentials: reading and accepting the invite
// (docs/server-behaviour.md#invites).

import { auditLog } from '../audit/log.ts';
import type { Environment } from '../environment.ts';
import { personIds } from '../ids/new-object.ts';
import { digest, isWellFormed } from '../ids/secret-tokens.ts';
import { refuseWeak, setPassword } from '../people/passwords.ts';
import { isEmailTaken } from '../people/userRecords.ts';
import type { InviteRecord, UserRecord } from '../records/people.ts';
import { ok } from '../request/answer.ts';
import { object, text } from '../request/body.ts';
import type { PublicHandler } from '../request/handler.ts';
import { conflict, invalid, notFound } from '../request/refusal.ts';
import { parseRole } from '../request/roles.ts';
import { type Account, openAccount, openInstallation } from '../store/account.ts';
import type { Rows } from '../store/store.ts';
import { isPast, NEVER, timestamp } from '../time/times.ts';
import { requireEmbedded } from './user-invites.ts';

const BODY = object({ password: text });

/** The handlers of operations without credentials, by operation id. */
export const PUBLIC_HANDLERS: Readonly<Record<string, PublicHandler>> = {
  getUserInvite: (rows, request, environment) => {
    requireEmbedded(environment);
    const { account, invite } = find(rows, request.path('invite'));
    const { email, name, expires_at, created_by } = invite;
    const host = account.users.get(created_by) ?? account.formerUsers.get(created_by);
    const valid = !isPast(expires_at, environment.clock);
    return ok({ email, name, expires_at, valid, invited_by: host?.name ?? '' });
  },

  acceptUserInvite: (rows, request, environment) => {
    requireEmbedded(environment);
    const { account, invite } = find(rows, request.path('token'));
    const { password } = request.body(BODY);
    if (isPast(invite.expires_at, environment.clock)) throw invalid('the invite has expired');
    refuseWeak(password);
    if (isEmailTaken(account, invite.email))
      throw conflict(`user with email ${invite.email} already exists`);
    const user = invited(invite, account, environment);
    account.users.put(user);
    setPassword(account, user.id, password);
    account.invites.remove(invite.id);
    // The user who accepts an invite is the initiator.
    const log = auditLog(rows, account.id, user.id, environment);
    log({ code: 'user.invite.link.accept', target: user.id, meta: { email: user.email } });
    return ok({ success: true });
  },
};

/** The invite with a token, in any account. */
function find(
  rows: Rows,
  token: string,
): { readonly account: Account; readonly invite: InviteRecord } {
  if (!isWellFormed('invite', token)) throw invalid('invalid invite token');
  const wanted = digest(token);
  for (const { id } of openInstallation(rows).accounts.all()) {
    const account = openAccount(rows, id);
    const invite = account.invites.all().find(one => one.token === wanted);
    if (invite !== undefined) return { account, invite };
  }
  throw notFound('user invite', 'of that token');
}

/** Creates the user of an invite. An unknown role, which was not validated before, becomes the lowest role. */
function invited(
  { name, email, role, auto_groups }: InviteRecord,
  account: Account,
  environment: Environment,
): UserRecord {
  return {
    ...personIds(account.users, environment),
    name,
    email,
    role: parseRole(role) ?? 'user',
    auto_groups,
    is_service_user: false,
    is_blocked: false,
    pending_approval: false,
    invited: false,
    issued: 'api',
    created_at: timestamp(environment.clock),
    last_login: NEVER,
  };
}
