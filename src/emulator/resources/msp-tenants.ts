// The tenants of a managed service provider: made, listed and changed (facts §5.16).
import { parseRole } from '../access/roles.ts';
import type { Account } from '../account.ts';
import { ok } from '../answer.ts';
import { list, object, type Read, text } from '../body.ts';
import type { Handlers } from '../handler.ts';
import { newUuid } from '../ids.ts';
import { isDomain } from '../normalise/domain.ts';
import type { TenantRecord } from '../records/integrations.ts';
import { conflict, invalid, notFound } from '../refusal.ts';
import { NEVER, timestamp } from '../times.ts';

const GROUPS = list(object({ id: text, role: text }));
const BODY = object({ name: text, domain: text, groups: GROUPS });
const UPDATE = object({ name: text, groups: GROUPS });

export const mspTenants: Handlers = {
  listMspTenants: account => ok(account.tenants.all()),

  createMspTenant: (account, request, { newId, clock, random }) => {
    const { name, domain, groups } = request.body(BODY);
    refuse(account, name, groups);
    if (!isDomain(domain) || !domain.includes('.')) throw invalid(`invalid domain: ${domain}`);
    if (account.tenants.all().some(tenant => tenant.domain === domain))
      throw conflict(`domain ${domain} already has a tenant`);
    const now = timestamp(clock);
    const tenant: TenantRecord = {
      ...{ id: newId(), name, domain, groups, status: 'pending' },
      ...{ activated_at: NEVER, created_at: now, updated_at: now, invited_at: NEVER },
      dns_challenge: newUuid(random),
    };
    account.tenants.put(tenant);
    return ok(tenant);
  },

  updateMspTenant: (account, request, { clock }) => {
    const { name, groups } = request.body(UPDATE);
    const id = request.path('id');
    const before = account.tenants.get(id);
    if (before === undefined) throw notFound('tenant', id);
    refuse(account, name, groups);
    const tenant = { ...before, name, groups, updated_at: timestamp(clock) };
    account.tenants.put(tenant);
    return ok(tenant);
  },
};

function refuse(account: Account, name: string, groups: Read<typeof GROUPS>): void {
  if (name === '') throw invalid('tenant name should not be empty');
  for (const { id, role } of groups) {
    if (account.groups.get(id) === undefined) throw invalid(`group id ${id} not found`);
    if (parseRole(role) === undefined) throw invalid(`unknown role: ${role}`);
  }
}
