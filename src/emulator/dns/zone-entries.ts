// The records of a zone as they are stored, shown and logged.

import type { DnsZoneRecord, ZoneEntryRecord } from '../records/dns.ts';
import type { ApiRequest } from '../request/handler.ts';
import { notFound } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';

const byZone = ({ zone }: ZoneEntryRecord) => [zone];

/** The records of a zone. */
export function entriesOf(account: Account, zone: string): readonly ZoneEntryRecord[] {
  return account.zoneEntries.having(byZone, zone);
}

/** The zone in the path of a request. */
export function findZone(account: Account, request: ApiRequest): DnsZoneRecord {
  const id = request.path('zoneId');
  const zone = account.zones.get(id);
  if (zone === undefined) throw notFound('failed to get zone: zone', id);
  return zone;
}

/** A DNS record in a response. */
export function entryView({ zone: _, ...entry }: ZoneEntryRecord) {
  return entry;
}

/** The smallest number that the server's language writes with an exponent. */
const LARGE = 1_000_000;

/** Records an audit event about a DNS record. */
export function logEntry(
  account: Account,
  what: 'create' | 'update' | 'delete',
  zone: DnsZoneRecord,
  { id, name, type, content, ttl }: ZoneEntryRecord,
): void {
  const meta = {
    name,
    type,
    content,
    ttl: numberText(ttl),
    zone_id: zone.id,
    zone_name: zone.name,
  };
  account.log({ code: `dns.zone.record.${what}`, target: id, meta });
}

function numberText(number: number): string {
  if (number < LARGE) return String(number);
  return number.toExponential().replace(/e\+(\d)$/, 'e+0$1');
}
