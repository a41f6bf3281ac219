// Reads, changes and deletes peers for the API (docs/server-behaviour.md#peers). Their enrolment is in another file.

import { freeLabel, requestedAddress, requestedIpv6 } from '../addresses/identity.ts';
import { peerMeta } from '../audit/object-meta.ts';
import { deletePeer } from '../deletion/cascades.ts';
import { peerReferrer, targetReferrer } from '../deletion/references.ts';
import type { Environment } from '../environment.ts';
import { formatIp, parseIp } from '../normalise/ip.ts';
import { peerView, peerViews } from '../peers/peer-view.ts';
import type { ActivityCode } from '../records/activities.ts';
import type { PeerRecord } from '../records/peers.ts';
import { done, ok } from '../request/answer.ts';
import { flag, object, optional, type Read, text } from '../request/body.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { denied, invalid, mishandled, notFound, precondition } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';

const BODY = object({
  name: text,
  ssh_enabled: flag,
  login_expiration_enabled: flag,
  inactivity_expiration_enabled: flag,
  approval_required: optional(flag),
  ip: text,
  ipv6: text,
});

export const peers: Handlers = {
  listPeers: (account, request, environment) => {
    const holds = (value: string, parameter: string) => value.includes(request.query(parameter));
    const found = account.peers
      .all()
      .filter(peer => maySee(request, peer))
      .filter(peer => holds(peer.name, 'name') && holds(peer.ip, 'ip'));
    const views = peerViews(account, found, environment);
    return ok(views.map(view => ({ ...view, accessible_peers_count: 0 })));
  },

  getPeer: (account, request, environment) => {
    const peer = findPeer(account, request);
    if (!maySee(request, peer))
      throw mishandled(environment, denied(`peer ${peer.id} belongs to somebody else`));
    return ok(peerView(account, peer, environment));
  },

  updatePeer: (account, request, environment) => {
    const body = request.body(BODY, refuseAddresses);
    const before = findPeer(account, request);
    const peer = changed(account, before, body, environment);
    account.peers.put(peer);
    logChanges(account, before, peer, environment);
    return ok(peerView(account, peer, environment));
  },

  deletePeer: (account, request, environment) => {
    const peer = findPeer(account, request);
    const service = targetReferrer(account, peer.id);
    if (service !== undefined) throw precondition(`peer ${peer.id} is in use by proxy ${service}`);
    const referrer = peerReferrer(account, peer.id);
    if (referrer !== undefined) throw precondition(`peer is linked to ${referrer}`);
    deletePeer(account, peer, environment);
    return done();
  },
};

/** The peer in the path of a request. */
export function findPeer(account: Account, request: ApiRequest): PeerRecord {
  const id = request.path('peerId');
  const peer = account.peers.get(id);
  if (peer === undefined) throw notFound('peer', id);
  return peer;
}

/** Whether a caller may see a peer. Users see their own peers, and other peers only with the right to read peers. */
export function maySee(request: ApiRequest, { user_id }: PeerRecord): boolean {
  return request.may('peers', 'read') || user_id === request.caller.id;
}

function changed(
  account: Account,
  before: PeerRecord,
  body: Read<typeof BODY>,
  environment: Environment,
): PeerRecord {
  const { name, ssh_enabled, login_expiration_enabled, inactivity_expiration_enabled } = body;
  if (name === '') throw mishandled(environment, invalid('peer name should not be empty'));
  refuseExpirations(before, body);
  const ip = body.ip === '' ? before.ip : formatIp(requestedAddress(account, body.ip, before.id));
  const label =
    name === before.name ? before.label : freeLabel(account, { name, ip, id: before.id });
  const flags = { ssh_enabled, login_expiration_enabled, inactivity_expiration_enabled };
  return {
    ...before,
    ...flags,
    name,
    ip,
    label,
    ...ipv6Wanted(account, before, body, environment),
    approval_required: approval(before, body, environment),
  };
}

function refuseAddresses({ ip, ipv6 }: Read<typeof BODY>): void {
  for (const address of [ip, ipv6])
    if (address !== '' && parseIp(address) === undefined)
      throw invalid(`invalid IP address: ${address}`);
}

/** The requested IPv6 address in a body. If peers have no IPv6 addresses, the field is unknown and is ignored. */
function ipv6Wanted(
  account: Account,
  { id }: PeerRecord,
  { ipv6 }: Read<typeof BODY>,
  { behaviour }: Environment,
) {
  return ipv6 === '' || behaviour.ipv6 === 'none' ? {} : { ipv6: requestedIpv6(account, ipv6, id) };
}

/** The approval in a body. Peers await approval only in the hosted service. */
function approval(
  before: PeerRecord,
  { approval_required }: Read<typeof BODY>,
  { edition }: Environment,
): boolean {
  return edition === 'cloud' ? (approval_required ?? before.approval_required) : false;
}

/** Refuses a change of expirations for a peer without a user, because only sign-ins of users expire. */
function refuseExpirations(before: PeerRecord, body: Read<typeof BODY>): void {
  const changes =
    body.login_expiration_enabled !== before.login_expiration_enabled ||
    body.inactivity_expiration_enabled !== before.inactivity_expiration_enabled;
  if (changes && before.user_id === '')
    throw precondition('expirations can only be changed for peers that a user signed in');
}

/** The events of setting and clearing a flag. */
const FLAGS = {
  ssh_enabled: ['peer.ssh.enable', 'peer.ssh.disable'],
  login_expiration_enabled: ['peer.login.expiration.enable', 'peer.login.expiration.disable'],
  inactivity_expiration_enabled: [
    'peer.inactivity.expiration.enable',
    'peer.inactivity.expiration.disable',
  ],
  approval_required: ['peer.approval.revoke', 'peer.approve'],
} as const satisfies Readonly<Record<string, readonly [ActivityCode, ActivityCode]>>;

function logChanges(
  account: Account,
  before: PeerRecord,
  peer: PeerRecord,
  environment: Environment,
): void {
  const meta = peerMeta(account, peer, environment);
  if (before.name !== peer.name) account.log({ code: 'peer.rename', target: peer.id, meta });
  if (before.ip !== peer.ip) {
    const addresses = { old_ip: before.ip, ip: peer.ip };
    account.log({ code: 'peer.ip.update', target: peer.id, meta: { ...meta, ...addresses } });
  }
  for (const [flag, [set, unset]] of Object.entries(FLAGS)) {
    const name = flag as keyof typeof FLAGS;
    if (before[name] === peer[name]) continue;
    // Events about flags contain the address of the peer.
    const target = name === 'approval_required' ? peer.id : peer.ip;
    account.log({ code: peer[name] ? set : unset, target, meta });
  }
}
