// Nameserver groups (docs/server-behaviour.md#dns).

import { objectId } from '../ids/new-object.ts';
import { isDomain } from '../normalise/domain.ts';
import { formatIp, parseIp } from '../normalise/ip.ts';
import type { NameserverGroupRecord } from '../records/dns.ts';
import { done, ok } from '../request/answer.ts';
import { flag, list, object, optional, type Read, text, whole } from '../request/body.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { invalid, notFound } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';

const BODY = object({
  name: text,
  description: text,
  nameservers: list(object({ ip: text, ns_type: text, port: whole })),
  enabled: flag,
  groups: list(text),
  primary: flag,
  domains: optional(list(text)),
  search_domains_enabled: flag,
});

type Body = Read<typeof BODY>;

const LONGEST_NAME = 40;
const MOST_SERVERS = 3;

export const nameserverGroups: Handlers = {
  listNameserverGroups: account => ok(account.nameserverGroups.all()),

  createNameserverGroup: (account, request, environment) => {
    const body = request.body(BODY, refuseServers);
    refuse(account, body);
    const group = { id: objectId(account.nameserverGroups, environment), ...written(body) };
    account.nameserverGroups.put(group);
    log(account, 'add', group);
    // A later read shows null.
    return ok({ ...group, domains: group.domains ?? [] });
  },

  getNameserverGroup: (account, request) => ok(find(account, request)),

  updateNameserverGroup: (account, request) => {
    const body = request.body(BODY, refuseServers);
    const { id } = find(account, request);
    refuse(account, body, id);
    const group = { id, ...written(body) };
    account.nameserverGroups.put(group);
    log(account, 'update', group);
    return ok(group);
  },

  deleteNameserverGroup: (account, request) => {
    const group = find(account, request);
    account.nameserverGroups.remove(group.id);
    log(account, 'delete', group);
    return done();
  },
};

function find(account: Account, request: ApiRequest): NameserverGroupRecord {
  const id = request.path('nameserverGroupId');
  const group = account.nameserverGroups.get(id);
  if (group === undefined) throw notFound('nameserver group', id);
  return group;
}

/** Refuses invalid servers. They are parsed together with the body, before the role of the caller is checked. */
function refuseServers({ nameservers }: Body): void {
  for (const { ip, ns_type, port } of nameservers)
    if (addressOf(ip) === undefined || ns_type.toLowerCase() !== 'udp' || port < 0)
      throw invalid('invalid NS servers format');
}

/** The canonical address of a server, which may be in brackets. */
function addressOf(given: string): string | undefined {
  const ip = parseIp(given.match(/^\[(.*)\]$/)?.[1] ?? given);
  return ip && formatIp(ip);
}

function refuse(account: Account, body: Body, own?: string): void {
  const { name, groups, nameservers } = body;
  refuseDomains(body);
  if (nameservers.length === 0 || nameservers.length > MOST_SERVERS)
    throw invalid(`the list of nameservers should be 1 or 3, got ${nameservers.length}`);
  const { length } = [...name];
  if (length === 0 || length > LONGEST_NAME)
    throw invalid(`nameserver group name should be between 1 and ${LONGEST_NAME}`);
  const isTaken = account.nameserverGroups.all().some(one => one.name === name && one.id !== own);
  if (isTaken) throw invalid(`a nameserver group with name ${name} already exist`);
  if (groups.length === 0) throw invalid('the list of group IDs should not be empty');
  for (const id of groups)
    if (account.groups.get(id) === undefined) throw invalid(`group id ${id} not found`);
}

function refuseDomains({ primary, domains = [], search_domains_enabled }: Body): void {
  if (primary && domains.length > 0)
    throw invalid('nameserver group primary status is true and domains are not empty');
  if (!primary && domains.length === 0)
    throw invalid('nameserver group primary status is false and domains are empty');
  if (primary && search_domains_enabled)
    throw invalid('nameserver group primary status is true and search domains is enabled');
  for (const domain of domains)
    if (domain.startsWith('*') || !isDomain(domain.replace(/\.$/, '')))
      throw invalid(`nameserver group got an invalid domain: ${domain}`);
}

function written({ nameservers, domains, ...body }: Body): Omit<NameserverGroupRecord, 'id'> {
  return {
    ...body,
    domains: domains ?? null,
    nameservers: nameservers.map(({ ip, port }) => ({
      ip: addressOf(ip) ?? ip,
      ns_type: 'udp',
      port,
    })),
  };
}

function log(
  account: Account,
  what: 'add' | 'update' | 'delete',
  { id, name }: NameserverGroupRecord,
): void {
  account.log({ code: `nameserver.group.${what}`, target: id, meta: { name } });
}
