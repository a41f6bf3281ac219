// Signs a person in: the user of a bearer token, who is created if absent, gets their groups at the identity provider
// (docs/server-behaviour.md#credentials).

import { auditLog } from '../audit/log.ts';
import type { Environment } from '../environment.ts';
import { ALL_GROUP } from '../groups/membership.ts';
import { setAutoGroups } from '../people/auto-groups.ts';
import type { UserRecord } from '../records/people.ts';
import { unauthenticated } from '../request/refusal.ts';
import { type Account, openAccount, openInstallation, settingsOf } from '../store/account.ts';
import type { Rows } from '../store/store.ts';
import { NEVER, timestamp } from '../time/times.ts';
import type { IssuedClaims } from './issuer.ts';

/** Signs in the user of a token, and returns the user. Throws a 401 if the account does not exist. */
export function signIn(
  rows: Rows,
  claims: IssuedClaims,
  environment: Environment,
): { readonly account: string; readonly user: string } {
  if (openInstallation(rows).accounts.get(claims.account) === undefined)
    throw unauthenticated('token invalid');
  // The user who signs in is the initiator of all resulting events.
  const log = auditLog(rows, claims.account, claims.sub, environment);
  const account = openAccount(rows, claims.account, log);
  const user = account.users.get(claims.sub) ?? newcomer(account, claims, environment);
  const at = claims.issuedAt.toISOString();
  if (user.last_login === NEVER || user.last_login < at) {
    account.users.put({ ...user, last_login: at, invited: false });
    log({ code: 'dashboard.login', target: user.id });
  }
  if (claims.groups !== undefined) syncGroups(account, user.id, claims.groups, environment);
  return { account: account.id, user: user.id };
}

function newcomer(account: Account, claims: IssuedClaims, { clock }: Environment): UserRecord {
  const { sub, email, name } = claims;
  const pending_approval = settingsOf(account).user_approval_required;
  const user: UserRecord = {
    id: sub,
    name,
    email,
    role: 'user',
    is_service_user: false,
    auto_groups: [],
    is_blocked: false,
    pending_approval,
    invited: false,
    issued: 'api',
    idp_id: sub,
    created_at: timestamp(clock),
    last_login: NEVER,
  };
  account.users.put(user);
  account.log({
    code: 'user.join',
    target: sub,
    meta: pending_approval ? { pending_approval: 'true' } : {},
  });
  return user;
}

/**
 * Gives a user the groups that they have at the identity provider. Names of groups that the API created are skipped. Groups that
 * the provider no longer names lose the user, but are never deleted.
 */
export function syncGroups(
  account: Account,
  userId: string,
  names: readonly string[],
  environment: Environment,
): void {
  const user = account.users.get(userId);
  if (user === undefined) return;
  const groups = account.groups.all();
  const known = new Map(groups.map(group => [group.name, group]));
  const wanted = [...new Set(names)].filter(name => name !== '' && name !== ALL_GROUP);
  const joined = wanted.flatMap(name => {
    const group = known.get(name);
    if (group !== undefined) return group.issued === 'jwt' ? [group.id] : [];
    const id = environment.newId();
    account.groups.put({ id, name, issued: 'jwt', peers: [], resources: [] });
    return [id];
  });
  const isOfProvider = (id: string) => account.groups.get(id)?.issued === 'jwt';
  const kept = user.auto_groups.filter(id => !isOfProvider(id));
  setAutoGroups(account, user, [...kept, ...joined], { initiator: user.id });
}
