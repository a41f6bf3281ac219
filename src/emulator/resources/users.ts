// Users: people and service users (docs/server-behaviour.md#users). Updates are in another file.
import { present } from '../../model/errors.ts';
import { deleteUser } from '../deletion/cascades.ts';
import type { Environment } from '../environment.ts';
import { personIds, uuidId } from '../ids/new-object.ts';
import { newUuid } from '../ids/source.ts';
import { setPassword } from '../people/passwords.ts';
import { createdUserView, currentUserView, userView } from '../people/user-view.ts';
import { findUser, isEmailTaken } from '../people/userRecords.ts';
import type { UserRecord } from '../records/people.ts';
import { done, ok } from '../request/answer.ts';
import { flag, list, object, type Read, text } from '../request/body.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { conflict, denied, invalid, precondition } from '../request/refusal.ts';
import { parseRole } from '../request/roles.ts';
import type { Account } from '../store/account.ts';
import { NEVER, timestamp } from '../time/times.ts';
import { updateUser } from './user-update.ts';

const BODY = object({
  email: text,
  name: text,
  role: text,
  auto_groups: list(text),
  is_service_user: flag,
});

type Body = Read<typeof BODY>;

export const users: Handlers = {
  listUsers: (account, request, environment) => {
    const { caller } = request;
    const wanted = serviceUsers(request);
    const visible = request.may('users', 'read') ? account.users.all() : [caller];
    const found = visible.filter(one => wanted === undefined || one.is_service_user === wanted);
    return ok(found.map(user => userView(account, user, caller, environment)));
  },

  createUser: (account, request, environment) => {
    const body = request.body(BODY, refuseRole);
    const { user, revealed } = body.is_service_user
      ? { user: serviceUser(account, body, environment), revealed: {} }
      : invited(account, body, environment);
    account.users.put(user);
    if ('password' in revealed) setPassword(account, user.id, revealed.password);
    if (user.is_service_user)
      account.log({ code: 'service.user.create', target: user.id, meta: { name: user.name } });
    else account.log({ code: user.invited ? 'user.invite' : 'user.create', target: user.id });
    return ok({ ...createdUserView(account, user, request.caller, environment), ...revealed });
  },

  updateUser,

  deleteUser: (account, request, environment) => {
    const user = findUser(account, request);
    if (user.id === request.caller.id) throw invalid('self deletion is not allowed');
    if (user.role === 'owner') throw denied('the owner cannot be deleted');
    if (user.issued === 'integration' && !request.caller.is_service_user)
      throw denied('only service users can delete a user of an integration');
    deleteUser(account, user, environment);
    return done();
  },

  getCurrentUser: (account, { caller }, environment) => {
    if (caller.is_service_user) throw denied('permission denied');
    return ok(currentUserView(account, caller, environment));
  },
};

/** Whether a list shows only service users, or only people; undefined for both. */
function serviceUsers(request: ApiRequest): boolean | undefined {
  const text = request.query('service_user');
  if (text === '') return undefined;
  if (text !== 'true' && text !== 'false') throw invalid('service_user must be true or false');
  return text === 'true';
}

/** Creates a service user. Its email is dropped, and whether its groups exist is not checked. */
function serviceUser(account: Account, body: Body, environment: Environment): UserRecord {
  const { name, auto_groups } = body;
  const role = newRole(body);
  return {
    id: uuidId(account.users, environment),
    name,
    email: '',
    role,
    is_service_user: true,
    auto_groups,
    is_blocked: false,
    pending_approval: false,
    invited: false,
    issued: 'api',
    idp_id: '',
    created_at: timestamp(environment.clock),
    last_login: NEVER,
  };
}

/**
 * Creates a person. With the embedded identity provider, the person can sign in immediately, with a password that is shown only
 * once.
 */
function invited(account: Account, body: Body, environment: Environment) {
  const { name, email, auto_groups } = body;
  const { signIn, clock } = environment;
  if (signIn === 'none') throw precondition('there is no identity provider to invite people');
  const role = newRole(body);
  if (name === '' || email === '') throw invalid('a person needs a name and an email');
  if (isEmailTaken(account, email)) throw conflict(`user with email ${email} already exists`);
  const user: UserRecord = {
    ...personIds(account.users, environment),
    name,
    email,
    role,
    is_service_user: false,
    auto_groups,
    is_blocked: false,
    pending_approval: false,
    invited: signIn === 'external',
    issued: 'api',
    created_at: timestamp(clock),
    last_login: NEVER,
  };
  return { user, revealed: user.invited ? {} : { password: newPassword(environment) } };
}

function refuseRole({ role }: Body): void {
  if (parseRole(role) === undefined) throw invalid(`unknown user role ${role}`);
}

/** The role of a new user. The role `owner` cannot be assigned. */
function newRole(body: Body): string {
  const role = present(parseRole(body.role), 'a role that was checked');
  if (role === 'owner') throw invalid('nobody can be created as owner');
  return role;
}

/** A new password that satisfies the rules. */
function newPassword({ random }: Environment): string {
  return `${newUuid(random)}-A1`;
}
