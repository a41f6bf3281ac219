// Peers as the API shows them (docs/server-behaviour.md#peers).

import { ipv6Of } from '../addresses/identity.ts';
import { fqdn } from '../audit/object-meta.ts';
import type { Environment } from '../environment.ts';
import { groupsOfPeer } from '../groups/membership.ts';
import { type GroupSummary, newSummaries } from '../groups/summaries.ts';
import type { PeerRecord } from '../records/peers.ts';
import { type Account, settingsOf } from '../store/account.ts';
import { SECOND } from '../time/times.ts';

const FLAGS = [
  'server_ssh_allowed',
  'disable_client_routes',
  'disable_server_routes',
  'disable_dns',
  'disable_firewall',
  'block_lan_access',
  'block_inbound',
  'lazy_connection_enabled',
];

/** A peer in a response. */
export function peerView(account: Account, peer: PeerRecord, environment: Environment) {
  const groups = groupsOfPeer(account, peer.id).map(newSummaries(account, environment));
  return view(account, peer, groups, environment);
}

/** Peers in a response. Each group is summarised once, however many of the peers are in it. */
export function peerViews(
  account: Account,
  peers: readonly PeerRecord[],
  environment: Environment,
) {
  const groups = new Map<string, GroupSummary[]>(peers.map(({ id }) => [id, []]));
  const summary = newSummaries(account, environment);
  for (const group of account.groups.all()) {
    const short = summary(group);
    for (const id of new Set(group.peers)) groups.get(id)?.push(short);
  }
  return peers.map(peer => view(account, peer, groups.get(peer.id) ?? [], environment));
}

function view(
  account: Account,
  peer: PeerRecord,
  groups: readonly GroupSummary[],
  environment: Environment,
) {
  const { label: _, machine, ipv6: __, wg_pub_key: ___, ...own } = peer;
  // Fields that only posture checks use are not shown.
  const { network_addresses: ____, processes: _____, ...reported } = machine;
  return {
    ...own,
    ...reported,
    ...ipv6Of(account, peer, environment),
    dns_label: fqdn(account, peer),
    groups,
    login_expired: isLoginExpired(account, peer, environment),
    local_flags: localFlags(environment),
  };
}

/** Whether the person must sign in again. */
export function isLoginExpired(
  account: Account,
  peer: PeerRecord,
  { clock }: Environment,
): boolean {
  if (peer.login_expired) return true;
  const settings = settingsOf(account);
  const hasEnded = (since: string, seconds: number) =>
    Date.parse(since) + seconds * SECOND <= clock().getTime();
  const isLong =
    settings.peer_login_expiration_enabled &&
    peer.login_expiration_enabled &&
    hasEnded(peer.last_login, settings.peer_login_expiration);
  const isAway =
    settings.peer_inactivity_expiration_enabled &&
    peer.inactivity_expiration_enabled &&
    !peer.connected &&
    hasEnded(peer.last_seen, settings.peer_inactivity_expiration);
  return isLong || isAway;
}

/** The local settings of a peer; for enrolled peers of the emulator, all are off. */
function localFlags({ behaviour }: Environment): Readonly<Record<string, boolean>> {
  const exchange = behaviour.keyExchangeFlags;
  const names = [`${exchange}_enabled`, `${exchange}_permissive`, ...FLAGS];
  return Object.fromEntries(names.map(name => [name, false]));
}
