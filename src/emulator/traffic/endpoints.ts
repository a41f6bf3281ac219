// The endpoints of a flow, in the form of its records.

import { fqdn } from '../audit/object-meta.ts';
import { formatIp, type Ip } from '../normalise/ip.ts';
import type { EndpointRecord } from '../records/logs.ts';
import type { PeerRecord } from '../records/peers.ts';
import type { NetworkResourceRecord } from '../records/topology.ts';
import type { Account } from '../store/account.ts';

/** A machine. `address` includes the port. */
export function peerEndpoint(account: Account, peer: PeerRecord, address: string): EndpointRecord {
  const { id, name, machine } = peer;
  const { city_name, country_code, os } = machine;
  const geo_location = { city_name, country_code };
  return { id, type: 'PEER', name, geo_location, os, address, dns_label: fqdn(account, peer) };
}

/** A network resource as an endpoint. `dns_label` is the name that was resolved; empty if there is none. */
export function resourceEndpoint(
  { id, name, type }: NetworkResourceRecord,
  address: string,
  dns_label: string,
): EndpointRecord {
  const known = { id, type: `${type.toUpperCase()}_RESOURCE`, name };
  return { ...NOTHING, ...known, address, dns_label };
}

/** An address as an endpoint that is neither a machine nor a network resource. */
export function addressEndpoint(address: string, dns_label: string): EndpointRecord {
  return { ...NOTHING, address, dns_label };
}

/** An address with its port, in the form of messages. */
export function hostAndPort(ip: Ip, port: number): string {
  const text = formatIp(ip);
  return ip.version === 4 ? `${text}:${port}` : `[${text}]:${port}`;
}

const NOTHING = {
  id: '',
  type: 'UNKNOWN',
  name: '',
  geo_location: { city_name: '', country_code: '' },
  os: '',
};
