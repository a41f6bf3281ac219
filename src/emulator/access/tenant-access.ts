// Access of a person of a managed service provider to the account of a tenant: `?account=<tenant id>` on any request
// (docs/server-behaviour.md#msp-tenants).

import type { Environment } from '../environment.ts';
import type { TenantRecord } from '../records/integrations.ts';
import type { UserRecord } from '../records/people.ts';
import { denied, notFound, precondition, type Refusal } from '../request/refusal.ts';
import { parseRole, ROLES } from '../request/roles.ts';
import { openAccount, openInstallation } from '../store/account.ts';
import type { Rows } from '../store/store.ts';
import type { Caller } from './authentication.ts';

/**
 * The caller of the request: in the tenant that the request names, or as authenticated if the request names no tenant. For an id
 * that is not a tenant of the caller, some dialects return the caller as authenticated; the others throw a refusal.
 */
export function inTenant(
  rows: Rows,
  caller: Caller,
  named: string | null,
  { behaviour, edition }: Environment,
): Caller {
  // The open server has no tenants, and reads the parameter without any effect.
  if (named === null || edition === 'self-hosted') return caller;
  const way = wayIn(rows, caller, named);
  if (!('status' in way)) return way;
  if (behaviour.strangeTenants === 'ignored') return caller;
  throw way;
}

/** The caller in a tenant, or the refusal if the caller has no access. */
function wayIn(rows: Rows, caller: Caller, named: string): Caller | Refusal {
  const provider = openAccount(rows, caller.account);
  const user = provider.users.get(caller.user);
  // According to the documentation, the parameter needs the token of a person. The status of the refusal is not documented, so it
  // is the same as for other missing rights.
  if (user === undefined || user.is_service_user)
    return denied('service users have no access to tenants');
  const tenant = provider.tenants.get(named);
  // Refuses as the operations on a tenant do.
  if (tenant === undefined) return notFound('tenant', named);
  // Responds as for an invalid state, because the tenant has no account yet.
  if (tenant.account === '') return precondition(`the tenant is ${tenant.status}`);
  if (openInstallation(rows).accounts.get(tenant.account) === undefined)
    return notFound('tenant', named);
  const role = assumedRole(user, tenant);
  if (role === undefined) return denied('permission denied');
  return { account: tenant.account, user: user.id, external: { ...user, role, auto_groups: [] } };
}

/** The role of a user in a tenant: the strongest of those that the tenant gives to their groups; undefined for no access. */
function assumedRole(user: UserRecord, { groups }: TenantRecord): string | undefined {
  const given = groups
    .filter(({ id }) => user.auto_groups.includes(id))
    .map(({ role }) => parseRole(role));
  return ROLES.find(role => given.includes(role));
}
