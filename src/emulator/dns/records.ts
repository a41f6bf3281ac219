// The records of a DNS zone (docs/server-behaviour.md#dns).
import { isIPv4, isIPv6 } from 'node:net';
import { objectId } from '../ids/new-object.ts';
import { isPlainDomain } from '../normalise/domain.ts';
import { formatIp, parseIp } from '../normalise/ip.ts';
import type { DnsZoneRecord, ZoneEntryRecord } from '../records/dns.ts';
import { done, ok } from '../request/answer.ts';
import { object, type Read, text, whole } from '../request/body.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { conflict, invalid, notFound } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';
import { entriesOf, entryView, findZone, logEntry } from './zone-entries.ts';

const BODY = object({ name: text, type: text, content: text, ttl: whole });

type Body = Read<typeof BODY>;

export const dnsRecords: Handlers = {
  // The list of an unknown zone is empty.
  listDnsRecords: (account, request) =>
    ok(entriesOf(account, request.path('zoneId')).map(entryView)),

  createDnsRecord: (account, request, environment) => {
    const body = request.body(BODY, refuseBody);
    const zone = findZone(account, request);
    refuseOutside(zone, body);
    refuseConflicts(entriesOf(account, zone.id), body);
    const entry = { id: objectId(account.zoneEntries, environment), zone: zone.id, ...body };
    account.zoneEntries.put(entry);
    logEntry(account, 'create', zone, entry);
    return ok(entryView(entry));
  },

  getDnsRecord: (account, request) =>
    ok(entryView(find(account, request, request.path('zoneId'), 'dns record'))),

  updateDnsRecord: (account, request) => {
    const body = request.body(BODY, refuseBody);
    const zone = findZone(account, request);
    const before = find(account, request, zone.id, 'failed to get record: dns record');
    refuseOutside(zone, body);
    const others = entriesOf(account, zone.id).filter(({ id }) => id !== before.id);
    if (!isSame(before, body)) refuseConflicts(others, body);
    const entry = { ...before, ...body };
    account.zoneEntries.put(entry);
    logEntry(account, 'update', zone, entry);
    return ok(entryView(entry));
  },

  deleteDnsRecord: (account, request) => {
    const zone = findZone(account, request);
    const entry = find(account, request, zone.id, 'failed to get record: dns record');
    account.zoneEntries.remove(entry.id);
    logEntry(account, 'delete', zone, entry);
    return done();
  },
};

function find(account: Account, request: ApiRequest, zone: string, what: string): ZoneEntryRecord {
  const id = request.path('recordId');
  const entry = account.zoneEntries.get(id);
  if (entry === undefined || entry.zone !== zone) throw notFound(what, id);
  return entry;
}

function refuseBody({ name, type, content, ttl }: Body): void {
  if (name === '') throw invalid('record name is required');
  if (!isPlainDomain(name.replace(/^\*\./, ''))) throw invalid('invalid record name format');
  if (type === '') throw invalid('record type is required');
  refuseContent(type, content);
  if (ttl < 0) throw invalid('TTL cannot be negative');
}

function refuseContent(type: string, content: string): void {
  if (type === 'CNAME') {
    if (!isPlainDomain(content)) throw invalid('invalid CNAME target format');
    return;
  }
  if (type !== 'A' && type !== 'AAAA')
    throw invalid('invalid record type, must be A, AAAA, or CNAME');
  if (content === '') throw invalid(`${type} record is required`);
  // An IPv6 address that contains an IPv4 address counts as an IPv4 address.
  const isFour = isIPv4(content) || isMapped(content);
  if (type === 'A' && !isFour) throw invalid('A record must be a valid IPv4 address');
  const isSix = isIPv6(content) && !content.includes('%') && !isFour;
  if (type === 'AAAA' && !isSix) throw invalid('AAAA record must be a valid IPv6 address');
}

function isMapped(content: string): boolean {
  const ip = parseIp(content);
  return ip?.version === 6 && formatIp(ip).startsWith('::ffff:') && formatIp(ip).includes('.');
}

function refuseOutside({ domain }: DnsZoneRecord, { name }: Body): void {
  if (name !== domain && !name.endsWith(`.${domain}`))
    throw invalid('record name does not belong to zone');
}

/** Refuses conflicts: a name has one CNAME, or any number of other records without repetition. */
function refuseConflicts(others: readonly ZoneEntryRecord[], body: Body): void {
  const named = others.filter(({ name }) => name === body.name);
  if (named.some(other => isSame(other, body))) throw conflict('identical record already exists');
  const isAlias = body.type === 'CNAME' && named.length > 0;
  if (isAlias || named.some(({ type }) => type === 'CNAME'))
    throw invalid(`an A, AAAA, or CNAME record with name ${body.name} already exists`);
}

/** Whether two records differ at most in their lifetime. */
function isSame(one: Body, other: Body): boolean {
  return one.name === other.name && one.type === other.type && one.content === other.content;
}
