// Controls for users and credentials that the API cannot create.

import { addToken } from '../access/new-token.ts';
import { choosing, personIds, secretToken } from '../ids/new-object.ts';
import { setPassword } from '../people/passwords.ts';
import { userView } from '../people/user-view.ts';
import type { UserRecord } from '../records/people.ts';
import { ok } from '../request/answer.ts';
import { flag, list, object, optional, text, whole } from '../request/body.ts';
import { invalid, notFound, precondition } from '../request/refusal.ts';
import { parseRole } from '../request/roles.ts';
import { DAY, NEVER, timestamp, timestampAfter } from '../time/times.ts';
import type { Control } from './control.ts';

const USER = object({
  id: optional(text),
  name: text,
  email: text,
  role: text,
  issued: text,
  pending_approval: flag,
  invited: flag,
  password: text,
  idp_id: optional(text),
});

/** Creates a user who signed up or came from a directory. Responds with the user. */
export const addUser: Control = ({ account, owner, environment, body }) => {
  const { id: chosen, name, email, role: given, ...rest } = body(USER);
  const { issued, pending_approval, invited, password, idp_id } = rest;
  const role = parseRole(given || 'user');
  if (role === undefined || role === 'owner') throw invalid(`no user can have the role ${given}`);
  const ids = personIds(account.users, choosing(environment, { id: chosen }));
  const user: UserRecord = {
    ...ids,
    ...(idp_id !== undefined && { idp_id }),
    name,
    email,
    role,
    is_service_user: false,
    auto_groups: [],
    pending_approval,
    is_blocked: false,
    invited,
    issued: issued || 'api',
    created_at: timestamp(environment.clock),
    last_login: NEVER,
  };
  account.users.put(user);
  if (password !== '') setPassword(account, user.id, password);
  return ok(userView(account, user, owner, environment));
};

const PASSWORD = object({ user_id: text, password: text });

/** Sets the password of a user, by default the owner. Responds with the user. */
export const givePassword: Control = ({ account, owner, environment, body }) => {
  const { user_id, password } = body(PASSWORD);
  const user = user_id === '' ? owner : account.users.get(user_id);
  if (user === undefined) throw notFound('user', user_id);
  setPassword(account, user.id, password);
  return ok(userView(account, user, owner, environment));
};

const TOKEN = object({
  id: optional(text),
  token: optional(text),
  user_id: text,
  name: text,
  expires_in: optional(whole),
});

/**
 * Creates a personal access token of any user, by default the owner, with any lifetime. Its id and its text may be chosen.
 * Responds with the id and the text.
 */
export const mintToken: Control = ({ account, owner, environment, body }) => {
  const { id, token, user_id, name, expires_in = 365 } = body(TOKEN);
  const user = user_id === '' ? owner : account.users.get(user_id);
  if (user === undefined) throw notFound('user', user_id);
  const chosen = choosing(environment, { id, secret: token });
  const secret = secretToken('personal', chosen);
  const expires = timestampAfter(environment.clock, expires_in * DAY);
  const made = { user, name: name || 'emulator', secret, expires, createdBy: owner };
  return ok({ id: addToken(account, made, chosen).id, token: secret });
};

const BEARER = object({
  user_id: text,
  email: text,
  name: text,
  groups: optional(list(text)),
  expires_in: optional(whole),
});

/**
 * Issues a bearer token as an identity provider would, valid for the given number of seconds. It may be for a user who does not
 * exist yet, and contain the user's groups at the provider. Responds with the token.
 */
export const mintAccessToken: Control = ({ account, owner, issuer, environment, body }) => {
  if (issuer === undefined) throw precondition('the development issuer is not enabled');
  const { user_id, email, name, groups, expires_in = 3600 } = body(BEARER);
  const sub = user_id || (email === '' ? owner.id : environment.newId());
  const user = account.users.get(sub);
  const claims = {
    account: account.id,
    sub,
    email: user?.email ?? email,
    name: user?.name ?? name,
    ...(groups === undefined ? {} : { groups }),
  };
  return ok({ access_token: issuer.issue(claims, expires_in), user_id: sub });
};
