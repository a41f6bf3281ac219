// DNS zones (docs/server-behaviour.md#dns). Their records are in another file.

import { DNS_DOMAIN } from '../access/new-account.ts';
import { objectId } from '../ids/new-object.ts';
import { isPlainDomain } from '../normalise/domain.ts';
import type { DnsZoneRecord } from '../records/dns.ts';
import { done, ok } from '../request/answer.ts';
import { flag, list, object, optional, type Read, text } from '../request/body.ts';
import type { Handlers } from '../request/handler.ts';
import { conflict, invalid, notFound } from '../request/refusal.ts';
import { type Account, settingsOf } from '../store/account.ts';
import { entriesOf, entryView, findZone, logEntry } from './zone-entries.ts';

const BODY = object({
  name: text,
  domain: text,
  enabled: optional(flag),
  enable_search_domain: flag,
  distribution_groups: list(text),
});

type Body = Read<typeof BODY>;

const LONGEST_NAME = 255;

export const zones: Handlers = {
  listDnsZones: account => ok(account.zones.all().map(zone => view(account, zone))),

  createDnsZone: (account, request, environment) => {
    const body = request.body(BODY, refuseBody);
    const { domain } = body;
    refuseGroups(account, body);
    if ([DNS_DOMAIN, settingsOf(account).dns_domain].includes(domain))
      throw invalid(`zone domain ${domain} conflicts with peer DNS domain`);
    if (account.zones.all().some(zone => zone.domain === domain))
      throw conflict(`zone with domain ${domain} already exists`);
    const zone = written(objectId(account.zones, environment), body);
    account.zones.put(zone);
    log(account, 'create', zone);
    return ok(view(account, zone));
  },

  getDnsZone: (account, request) => ok(view(account, findZone(account, request))),

  updateDnsZone: (account, request) => {
    const body = request.body(BODY, refuseBody);
    const before = findZone(account, request);
    if (body.domain !== before.domain) throw invalid('zone domain cannot be updated');
    refuseGroups(account, body);
    const zone = written(before.id, body);
    account.zones.put(zone);
    log(account, 'update', zone);
    return ok(view(account, zone));
  },

  deleteDnsZone: (account, request) => {
    const zone = findZone(account, request);
    for (const entry of entriesOf(account, zone.id)) {
      account.zoneEntries.remove(entry.id);
      logEntry(account, 'delete', zone, entry);
    }
    account.zones.remove(zone.id);
    log(account, 'delete', zone);
    return done();
  },
};

function refuseBody({ name, domain, distribution_groups }: Body): void {
  if (name === '') throw invalid('zone name is required');
  if (Buffer.byteLength(name) > LONGEST_NAME)
    throw invalid(`zone name exceeds maximum length of ${LONGEST_NAME} characters`);
  if (!isPlainDomain(domain)) throw invalid('invalid zone domain format');
  if (distribution_groups.length === 0)
    throw invalid('at least one distribution group is required');
}

function refuseGroups(account: Account, { distribution_groups }: Body): void {
  for (const id of distribution_groups)
    if (account.groups.get(id) === undefined) throw invalid(notFound('group', id).message);
}

/** Unlike all other flags of the API, `enabled` is true if it is omitted. */
function written(id: string, { enabled = true, ...body }: Body): DnsZoneRecord {
  return { id, enabled, ...body };
}

function view(account: Account, zone: DnsZoneRecord) {
  return { ...zone, records: entriesOf(account, zone.id).map(entryView) };
}

function log(
  account: Account,
  what: 'create' | 'update' | 'delete',
  { id, name, domain }: DnsZoneRecord,
): void {
  account.log({ code: `dns.zone.${what}`, target: id, meta: { name, domain } });
}
