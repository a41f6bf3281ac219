// A user as the API shows them (docs/server-behaviour.md#users).

import type { Environment } from '../environment.ts';
import type { UserRecord } from '../records/people.ts';
import { isAllowed, type Module, OPEN_MODULES } from '../request/roles.ts';
import { type Account, settingsOf } from '../store/account.ts';

/** A user in a response to `reader`. */
export function userView(
  account: Account,
  user: UserRecord,
  reader: UserRecord,
  environment: Environment,
) {
  const shown = {
    ...common(user, reader),
    ...idpIdOf(user, environment),
  };
  return environment.behaviour.permissions === 'of every user'
    ? { ...shown, permissions: permissions(account, user, ['networks', 'peers']) }
    : shown;
}

/** The user who calls, with their permissions. */
export function currentUserView(account: Account, user: UserRecord, environment: Environment) {
  const view = userView(account, user, user, environment);
  return environment.behaviour.permissions === 'of every user'
    ? view
    : { ...view, permissions: permissions(account, user, OPEN_MODULES) };
}

/** A user in the response to their creation. */
export function createdUserView(
  account: Account,
  user: UserRecord,
  reader: UserRecord,
  environment: Environment,
) {
  return environment.behaviour.people === 'the provider'
    ? common(user, reader)
    : userView(account, user, reader, environment);
}

function common({ invited, created_at: _, idp_id: __, ...shown }: UserRecord, reader: UserRecord) {
  return {
    ...shown,
    status: shown.is_blocked ? 'blocked' : invited ? 'invited' : 'active',
    is_current: shown.id === reader.id,
  };
}

/** The id of a user at the identity provider, or the id of the provider; a service user has none. */
function idpIdOf(user: UserRecord, { behaviour }: Environment) {
  if (behaviour.people === 'the account') return { idp_id: user.idp_id };
  return user.is_service_user || user.idp_id === '' ? {} : { idp_id: user.idp_id };
}

function permissions(account: Account, user: UserRecord, modules: readonly Module[]) {
  const rights = (module: Module) => ({
    read: isAllowed(user, module, 'read'),
    create: isAllowed(user, module, 'create'),
    update: isAllowed(user, module, 'update'),
    delete: isAllowed(user, module, 'delete'),
  });
  const isBlocked = settingsOf(account).regular_users_view_blocked;
  return {
    is_restricted: isBlocked && !isAllowed(user, 'peers', 'read'),
    modules: Object.fromEntries(modules.map(module => [module, rights(module)])),
  };
}
