// Creates, lists, renews and deletes invites (docs/server-behaviour.md#invites).

import type { Environment } from '../environment.ts';
import { objectId } from '../ids/new-object.ts';
import { digest, newSecretToken } from '../ids/secret-tokens.ts';
import { isEmailTaken } from '../people/userRecords.ts';
import type { ActivityCode } from '../records/activities.ts';
import type { InviteRecord } from '../records/people.ts';
import { done, ok } from '../request/answer.ts';
import { list, object, type Read, text, whole } from '../request/body.ts';
import type { Handlers } from '../request/handler.ts';
import { conflict, invalid, notFound, precondition } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';
import { isPast, SECOND, timestamp, timestampAfter } from '../time/times.ts';

const BODY = object({
  email: text,
  name: text,
  role: text,
  auto_groups: list(text),
  expires_in: whole,
});

const RENEWAL = object({ expires_in: whole });

const THREE_DAYS = 259_200;
const AN_HOUR = 3600;

export const userInvites: Handlers = {
  listUserInvites: (account, _request, environment) => {
    requireEmbedded(environment);
    return ok(account.invites.all().map(invite => view(invite, environment)));
  },

  createUserInvite: (account, request, environment) => {
    requireEmbedded(environment);
    const body = request.body(BODY, refuseBad);
    refuse(account, body, environment);
    const { expires_in, ...fields } = body;
    const { secret, kept } = newToken(expires_in, environment);
    const invite: InviteRecord = {
      id: objectId(account.invites, environment),
      ...fields,
      created_by: request.caller.id,
      created_at: timestamp(environment.clock),
      ...kept,
    };
    account.invites.put(invite);
    log(account, 'user.invite.link.create', invite);
    return ok({ ...view(invite, environment), invite_token: secret });
  },

  regenerateUserInvite: (account, request, environment) => {
    requireEmbedded(environment);
    const { expires_in } = request.body(RENEWAL);
    refuseShort(expires_in, environment);
    const before = find(account, request.path('inviteId'));
    const { secret, kept } = newToken(expires_in, environment);
    const invite = { ...before, ...kept };
    account.invites.put(invite);
    log(account, 'user.invite.link.regenerate', invite);
    return ok({ invite_token: secret, invite_expires_at: invite.expires_at });
  },

  deleteUserInvite: (account, request, environment) => {
    requireEmbedded(environment);
    const invite = find(account, request.path('invite'));
    account.invites.remove(invite.id);
    log(account, 'user.invite.link.delete', invite);
    return done();
  },
};

/** Refuses operations that only the embedded identity provider supports. */
export function requireEmbedded({ signIn }: Environment): void {
  if (signIn !== 'embedded') throw precondition('the embedded identity provider is not enabled');
}

function find(account: Account, id: string): InviteRecord {
  const invite = account.invites.get(id);
  if (invite === undefined) throw notFound('user invite', id);
  return invite;
}

/** A new token, and the fields that are stored with its invite. */
function newToken(expires_in: number, { random, clock }: Environment) {
  const secret = newSecretToken('invite', random);
  const lifetime = (expires_in > 0 ? expires_in : THREE_DAYS) * SECOND;
  const kept = { token: digest(secret), expires_at: timestampAfter(clock, lifetime) };
  return { secret, kept };
}

/** Refuses invalid fields. Whether role and groups exist is not checked here, but when the invite is accepted. */
function refuseBad({ email, name, role }: Read<typeof BODY>): void {
  if (name === '') throw invalid("name can't be empty");
  if (email === '') throw invalid("email can't be empty");
  if (role.toLowerCase() === 'owner') throw invalid("can't invite a user with owner role");
}

/** Email addresses are compared without case. */
function refuse(account: Account, body: Read<typeof BODY>, environment: Environment): void {
  const { email, expires_in } = body;
  refuseShort(expires_in, environment);
  if (isEmailTaken(account, email)) throw conflict('user with this email already exists');
  const folded = email.toLowerCase();
  if (account.invites.all().some(invite => invite.email.toLowerCase() === folded))
    throw conflict('invite already exists for this email');
}

function refuseShort(expires_in: number, { behaviour }: Environment): void {
  const isShort = expires_in > 0 && expires_in < AN_HOUR;
  if (isShort && behaviour.inviteLifetimes === 'at least an hour')
    throw invalid('invite expiration must be at least 1 hour');
}

function log(
  account: Account,
  code: Extract<ActivityCode, `user.invite.link.${string}`>,
  { id, email }: InviteRecord,
): void {
  account.log({ code, target: id, meta: { email } });
}

function view(invite: InviteRecord, { clock }: Environment) {
  const { token: _, created_by: __, ...shown } = invite;
  return { ...shown, expired: isPast(invite.expires_at, clock) };
}
