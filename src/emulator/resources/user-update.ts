// The fields of a user that can change, and the callers who may change them (docs/server-behaviour.md#users).
import { present } from '../../model/errors.ts';
import { allGroup } from '../groups/membership.ts';
import { expireLogins } from '../peers/logins.ts';
import { setAutoGroups } from '../people/auto-groups.ts';
import { userView } from '../people/user-view.ts';
import { findUser } from '../people/userRecords.ts';
import type { UserRecord } from '../records/people.ts';
import { ok } from '../request/answer.ts';
import { flag, list, object, optional, type Read, text } from '../request/body.ts';
import type { Handler } from '../request/handler.ts';
import { denied, impossible, invalid } from '../request/refusal.ts';
import { isAllowed, parseRole } from '../request/roles.ts';
import type { Account } from '../store/account.ts';

const BODY = object({ role: text, auto_groups: optional(list(text)), is_blocked: flag });

/** Changes the role and the groups of a user, blocks or unblocks the user, and responds with the user. */
export const updateUser: Handler = (account, request, environment) => {
  const before = findUser(account, request);
  const { role: given, auto_groups = [], is_blocked } = request.body(BODY, refuseBad);
  const role = present(parseRole(given), 'a role that was checked');
  refuseGroups(account, auto_groups);
  const after = { ...before, role, is_blocked };
  refuse(request.caller, before, after);
  if (role === 'owner' && before.role !== 'owner') handOver(account, before);
  logChanges(account, before, after);
  const user = setAutoGroups(account, after, auto_groups);
  if (is_blocked && !before.is_blocked) expireLogins(account, user, environment);
  return ok(userView(account, user, request.caller, environment));
};

function refuseBad({ auto_groups, role }: Read<typeof BODY>): void {
  if (auto_groups === undefined) throw impossible("auto_groups field can't be absent");
  if (parseRole(role) === undefined) throw invalid(`unknown user role ${role}`);
}

function refuseGroups(account: Account, groups: readonly string[]): void {
  const all = allGroup(account);
  for (const id of groups) {
    if (account.groups.get(id) === undefined) throw invalid(`auto group ${id} not found`);
    if (id === all?.id) throw invalid('the group All cannot be an auto group');
  }
}

function refuse(caller: UserRecord, before: UserRecord, after: UserRecord): void {
  const isSelf = caller.id === before.id;
  const changesRole = before.role !== after.role;
  // The right to create users includes the right to change them.
  if (!isAllowed(caller, 'users', 'create')) throw denied('permission denied');
  if (isSelf && after.is_blocked) throw denied('nobody can block themself');
  if (isSelf && changesRole) throw denied('nobody can change their own role');
  if (before.role === 'owner' && changesRole) throw denied('the owner stays owner');
  if (before.role === 'owner' && after.is_blocked) throw denied('the owner cannot be blocked');
  if (after.role === 'owner' && changesRole) {
    if (caller.role !== 'owner') throw denied('only the owner can hand over the account');
    if (before.is_service_user) throw denied('a service user cannot be owner');
  }
}

/** Makes a user the only owner: the former owner becomes an admin. The caller may be an owner of another account. */
function handOver(account: Account, heir: UserRecord): void {
  for (const user of account.users.all())
    if (user.role === 'owner') account.users.put({ ...user, role: 'admin' });
  account.log({ code: 'transferred.owner.role', target: heir.id });
}

function logChanges(account: Account, before: UserRecord, after: UserRecord): void {
  const target = after.id;
  if (after.is_blocked !== before.is_blocked)
    account.log({ code: after.is_blocked ? 'user.block' : 'user.unblock', target });
  if (after.role !== before.role && after.role !== 'owner')
    account.log({ code: 'user.role.update', target, meta: { role: after.role } });
}
