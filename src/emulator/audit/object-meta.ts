// How events describe their objects (docs/server-behaviour.md#events-of-an-operation).

import { ipv6Of } from '../addresses/identity.ts';
import type { Environment } from '../environment.ts';
import { listText, type Meta } from '../records/audit-meta.ts';
import type { PeerRecord } from '../records/peers.ts';
import type {
  GroupRecord,
  NetworkResourceRecord,
  NetworkRouterRecord,
} from '../records/topology.ts';
import { type Account, settingsOf } from '../store/account.ts';

/** The name of a peer in the overlay network. */
export function fqdn(account: Account, { label }: PeerRecord): string {
  return `${label}.${settingsOf(account).dns_domain}`;
}

/** The data about a peer in an audit event. */
export function peerMeta(account: Account, peer: PeerRecord, environment: Environment): Meta {
  const { name, ip, created_at, machine } = peer;
  return {
    name,
    ip,
    fqdn: fqdn(account, peer),
    created_at,
    ...ipv6Of(account, peer, environment),
    location_city_name: machine.city_name,
    location_country_code: machine.country_code,
    location_geo_name_id: String(machine.geoname_id),
    location_connection_ip: machine.connection_ip,
  };
}

/** Logs every peer that a change of a group adds or removes. A peer that is listed twice is logged twice. */
export function logMembers(account: Account, before: GroupRecord | undefined, after: GroupRecord) {
  const known = (ids: readonly string[]) => ids.flatMap(id => account.peers.get(id) ?? []);
  const then = new Set(known(before?.peers ?? []));
  const now = new Set(known(after.peers));
  const tell = (code: 'peer.group.add' | 'peer.group.delete', peer: PeerRecord) =>
    account.log({
      code,
      target: peer.id,
      meta: {
        group: after.name,
        group_id: after.id,
        peer_ip: peer.ip,
        peer_fqdn: fqdn(account, peer),
      },
    });
  for (const peer of known(after.peers)) if (!then.has(peer)) tell('peer.group.add', peer);
  for (const peer of then) if (!now.has(peer)) tell('peer.group.delete', peer);
}

/** Logs every group that a resource joins or leaves. */
export function logResourceGroups(
  account: Account,
  { id, name, type }: NetworkResourceRecord,
  before: readonly GroupRecord[],
  after: readonly GroupRecord[],
): void {
  const ids = (groups: readonly GroupRecord[]) => groups.map(group => group.id);
  const tell = (code: 'resource.group.add' | 'resource.group.delete', group: GroupRecord) =>
    account.log({
      code,
      target: group.id,
      meta: {
        name: group.name,
        id: group.id,
        resource_name: name,
        resource_id: id,
        resource_type: type,
      },
    });
  for (const group of after) if (!ids(before).includes(group.id)) tell('resource.group.add', group);
  for (const group of before)
    if (!ids(after).includes(group.id)) tell('resource.group.delete', group);
}

/** The data about a network resource in an audit event. */
export function resourceMeta(account: Account, resource: NetworkResourceRecord): Meta {
  const { name, type, network } = resource;
  return { name, type, ...networkMeta(account, network) };
}

/** The data about a network router in an audit event. */
export function routerMeta(account: Account, router: NetworkRouterRecord): Meta {
  const { network, peer, peer_groups } = router;
  return { ...networkMeta(account, network), peer, peer_groups: listText(peer_groups) };
}

function networkMeta(account: Account, network: string): Meta {
  return { network_name: account.networks.get(network)?.name ?? '', network_id: network };
}
