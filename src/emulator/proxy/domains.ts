// Domains for services (docs/server-behaviour.md#reverse-proxy).

import { objectId } from '../ids/new-object.ts';
import type { ClusterAbilities, ProxyDomainRecord } from '../records/proxy.ts';
import { type Answer, ok } from '../request/answer.ts';
import { object, text } from '../request/body.ts';
import type { Handlers } from '../request/handler.ts';
import { internalError, notFound } from '../request/refusal.ts';
import { type Account, openAccount } from '../store/account.ts';
import { activeClusters, clusterAt } from './clusters.ts';

const BODY = object({ domain: text, target_cluster: text });

export const proxyDomains: Handlers = {
  listProxyDomains: account => ok([...freeDomains(account), ...customDomains(account)]),

  createProxyDomain: (account, request, environment) => {
    const { domain, target_cluster } = request.body(BODY);
    if (clusterAt(account, target_cluster) === undefined) throw internalError();
    if (isTaken(account, domain)) throw internalError();
    const id = objectId(account.proxyDomains, environment);
    const validated = isProven(account, domain, target_cluster);
    const record: ProxyDomainRecord = { id, domain, target_cluster, validated };
    account.proxyDomains.put(record);
    log(account, 'add', record);
    return ok(view(record));
  },

  deleteProxyDomain: (account, request) => {
    const id = request.path('domainId');
    const record = account.proxyDomains.get(id);
    if (record === undefined) throw notFound('get domain from store: custom domain', id);
    account.proxyDomains.remove(id);
    log(account, 'delete', record);
    return empty(204);
  },

  // The response is the same whether or not the domain exists, and for every caller.
  validateProxyDomain: (account, request) => {
    const record = account.proxyDomains.get(request.path('domainId'));
    if (record !== undefined && isProven(account, record.domain, record.target_cluster)) {
      const validated = { ...record, validated: true };
      account.proxyDomains.put(validated);
      log(account, 'validate', validated);
    }
    return empty(202);
  },
};

function empty(status: number): Answer {
  return { status, text: '' };
}

/** The free domains: every cluster has a domain that equals its address. */
function freeDomains(account: Account) {
  return activeClusters(account).map(({ address, abilities }) => ({
    id: '',
    domain: address,
    type: 'free',
    validated: true,
    ...abilityView(abilities),
    ...(abilities.require_subdomain !== undefined && {
      require_subdomain: abilities.require_subdomain,
    }),
  }));
}

function customDomains(account: Account) {
  return account.proxyDomains.all().map(record => ({
    ...view(record),
    ...abilityView(clusterAt(account, record.target_cluster)?.abilities ?? {}),
  }));
}

function view({ id, domain, target_cluster, validated }: ProxyDomainRecord) {
  return { id, domain, type: 'custom', validated, target_cluster };
}

function abilityView({
  private: supports_private,
  supports_crowdsec,
  supports_custom_ports,
}: ClusterAbilities) {
  return {
    ...(supports_private !== undefined && { supports_private }),
    ...(supports_crowdsec !== undefined && { supports_crowdsec }),
    ...(supports_custom_ports !== undefined && { supports_custom_ports }),
  };
}

/** Whether another account has a domain. No two accounts can have the same domain. */
function isTaken({ installation }: Account, domain: string): boolean {
  const { accounts, rows } = installation;
  return accounts.all().some(({ id }) =>
    openAccount(rows, id)
      .proxyDomains.all()
      .some(one => one.domain === domain),
  );
}

/** Whether the DNS record for validation points to the cluster. */
function isProven({ installation }: Account, domain: string, cluster: string): boolean {
  return installation.dns.get(`validation.${domain}`)?.texts.includes(cluster) ?? false;
}

function log(
  account: Account,
  what: 'add' | 'delete' | 'validate',
  { id, domain, target_cluster, validated }: ProxyDomainRecord,
): void {
  const meta = { domain, target_cluster, validated: String(validated) };
  account.log({ code: `domain.${what}`, target: id, meta });
}
