// Tenants of a managed service provider join and leave (docs/server-behaviour.md#msp-tenants). The transitions are not
// documented; they are derived from the purpose of the operations.

import { createAccount } from '../access/new-account.ts';
import type { TenantRecord } from '../records/integrations.ts';
import { done, ok } from '../request/answer.ts';
import { object, text } from '../request/body.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { denied, invalid, notFound, precondition } from '../request/refusal.ts';
import { type Account, openAccount } from '../store/account.ts';
import { NEVER, timestamp } from '../time/times.ts';
import { domainOf, findTenant, tenantView } from './msp-tenants.ts';

export const mspTenancy: Handlers = {
  verifyMspTenantDomain: (account, request, environment) => {
    const tenant = findTenant(account, request);
    if (tenant.status === 'active') return done();
    if (tenant.status !== 'pending')
      throw precondition(`the domain ${tenant.domain} has an account already: invite it`);
    const { dns_challenge, domain, name } = tenant;
    const published = account.installation.dns.get(domain)?.texts ?? [];
    if (!published.includes(dns_challenge)) return { status: 501, body: { dns_challenge } };
    const owner = { name, email: `owner@${domain}` };
    // A tenant has the same id as its account: `?account=` accepts it as either.
    const chosen = { ...environment, chosen: { id: tenant.id } };
    const made = createAccount(account.installation.rows, owner, chosen);
    const now = timestamp(environment.clock);
    const active = { status: 'active', activated_at: now, updated_at: now, account: made.account };
    account.tenants.put({ ...tenant, ...active });
    return done();
  },

  inviteMspTenant: (account, request, { clock }) => {
    const tenant = findTenant(account, request);
    if (!['existing', 'invited'].includes(tenant.status))
      throw precondition(`a tenant that is ${tenant.status} cannot be invited`);
    const now = timestamp(clock);
    const invited = { ...tenant, status: 'invited', invited_at: now, updated_at: now };
    account.tenants.put(invited);
    return ok(tenantView(invited));
  },

  answerMspTenantInvite: (account, request, { clock }) => {
    const { value } = request.body(object({ value: text }));
    const { provider, tenant } = invitedAs(account, request);
    if (request.caller.role !== 'owner') throw denied('only the owner of an account can answer');
    if (value !== 'accept' && value !== 'decline') throw invalid(`neither yes nor no: ${value}`);
    if (tenant.status !== 'invited') throw precondition(`the tenant is ${tenant.status}`);
    const updated_at = timestamp(clock);
    const answered =
      value === 'accept'
        ? { status: 'active', activated_at: updated_at, account: account.id }
        : { status: 'existing', invited_at: NEVER };
    provider.tenants.put({ ...tenant, ...answered, updated_at });
    return done();
  },

  changeMspTenantSubscription: (account, request, { clock }) => {
    const { priceID } = request.body(object({ priceID: text }));
    const tenant = findTenant(account, request);
    if (priceID === '') throw invalid('priceID should not be empty');
    account.tenants.put({ ...tenant, price: priceID, updated_at: timestamp(clock) });
    return done();
  },

  unlinkMspTenant: (account, request) => {
    const { owner } = request.body(object({ owner: text }));
    const tenant = findTenant(account, request);
    const own =
      tenant.account === '' ? account : openAccount(account.installation.rows, tenant.account);
    const heir = own.users.get(owner);
    if (heir === undefined || heir.is_service_user) throw invalid(`user ${owner} cannot be owner`);
    if (own !== account)
      for (const user of own.users.all())
        if (user.role === 'owner' || user.id === owner)
          own.users.put({ ...user, role: user.id === owner ? 'owner' : 'admin' });
    account.tenants.remove(tenant.id);
    return done();
  },
};

/** The tenant of an invited account, in the account of the inviter. */
function invitedAs(
  account: Account,
  request: ApiRequest,
): { readonly provider: Account; readonly tenant: TenantRecord } {
  const id = request.path('id');
  const found: { readonly provider: Account; readonly tenant: TenantRecord }[] = [];
  for (const one of account.installation.accounts.all()) {
    const provider = openAccount(account.installation.rows, one.id);
    const tenant = provider.tenants.get(id);
    if (tenant?.domain === domainOf(account)) found.push({ provider, tenant });
  }
  // Several providers may know the account by this id. A provider that has invited the account takes precedence.
  const [first] = found;
  const asked = found.find(({ tenant }) => tenant.status === 'invited') ?? first;
  if (asked === undefined) throw notFound('tenant', id);
  return asked;
}
