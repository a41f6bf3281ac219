// Creates, lists and changes the tenants of a managed service provider (docs/server-behaviour.md#msp-tenants).

import { ownerOf } from '../access/owned-account.ts';
import { newUuid } from '../ids/source.ts';
import { isDomain } from '../normalise/domain.ts';
import type { TenantRecord } from '../records/integrations.ts';
import { ok } from '../request/answer.ts';
import { list, object, type Read, text } from '../request/body.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { conflict, invalid, notFound } from '../request/refusal.ts';
import { parseRole } from '../request/roles.ts';
import { type Account, openAccount } from '../store/account.ts';
import { NEVER, timestamp } from '../time/times.ts';

const GROUPS = list(object({ id: text, role: text }));
const BODY = object({ name: text, domain: text, groups: GROUPS });
const UPDATE = object({ name: text, groups: GROUPS });

export const mspTenants: Handlers = {
  listMspTenants: account => ok(account.tenants.all().map(tenantView)),

  createMspTenant: (account, request, { newId, clock, random }) => {
    const { name, domain, groups } = request.body(BODY);
    refuse(account, name, groups);
    if (!isDomain(domain) || !domain.includes('.')) throw invalid(`invalid domain: ${domain}`);
    if (account.tenants.all().some(tenant => tenant.domain === domain))
      throw conflict(`domain ${domain} already has a tenant`);
    const now = timestamp(clock);
    const known = accountOf(account, domain);
    const tenant: TenantRecord = {
      // A tenant has the same id as its account, which `?account=` accepts (docs/server-behaviour.md#msp-tenants).
      id: known ?? newId(),
      name,
      domain,
      groups,
      account: '',
      price: '',
      // An existing account does not have to prove its domain. It is invited, and its owner decides.
      status: known === undefined ? 'pending' : 'existing',
      activated_at: NEVER,
      created_at: now,
      updated_at: now,
      invited_at: NEVER,
      dns_challenge: newUuid(random),
    };
    account.tenants.put(tenant);
    return ok(tenantView(tenant));
  },

  updateMspTenant: (account, request, { clock }) => {
    const { name, groups } = request.body(UPDATE);
    const before = findTenant(account, request);
    refuse(account, name, groups);
    const tenant = { ...before, name, groups, updated_at: timestamp(clock) };
    account.tenants.put(tenant);
    return ok(tenantView(tenant));
  },
};

/** The tenant in the path of a request. */
export function findTenant(account: Account, request: ApiRequest): TenantRecord {
  const id = request.path('id');
  const tenant = account.tenants.get(id);
  if (tenant === undefined) throw notFound('tenant', id);
  return tenant;
}

/** A tenant in a response. */
export function tenantView({ account: _, price: __, ...tenant }: TenantRecord) {
  return tenant;
}

/** The domain of an account, which is the domain of its owner's email. */
export function domainOf({ id, installation }: Account): string {
  return ownerOf(installation.rows, id).email.split('@')[1] ?? '';
}

/** The id of another account with this domain; undefined if there is none. */
function accountOf({ id, installation }: Account, domain: string): string | undefined {
  return installation.accounts
    .all()
    .find(one => one.id !== id && domainOf(openAccount(installation.rows, one.id)) === domain)?.id;
}

function refuse(account: Account, name: string, groups: Read<typeof GROUPS>): void {
  if (name === '') throw invalid('tenant name should not be empty');
  for (const { id, role } of groups) {
    if (account.groups.get(id) === undefined) throw invalid(`group id ${id} not found`);
    if (parseRole(role) === undefined) throw invalid(`unknown role: ${role}`);
  }
}
