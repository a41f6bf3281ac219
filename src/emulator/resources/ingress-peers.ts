// Peers that accept traffic from the internet (docs/server-behaviour.md#ingress).

import { portsLeft } from '../addresses/port-mappings.ts';
import { ingressPeerReferrer } from '../deletion/references.ts';
import { objectId } from '../ids/new-object.ts';
import { nextNumber } from '../ids/numbers.ts';
import type { IngressPeerRecord, PeerRecord } from '../records/peers.ts';
import { done, ok } from '../request/answer.ts';
import { flag, object, text } from '../request/body.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { conflict, notFound, precondition } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';

const BODY = object({ peer_id: text, enabled: flag, fallback: flag });
const UPDATE = object({ enabled: flag, fallback: flag });

export const ingressPeers: Handlers = {
  listIngressPeers: account => ok(account.ingressPeers.all().map(one => view(account, one))),

  createIngressPeer: (account, request, environment) => {
    const body = request.body(BODY);
    const peer = account.peers.get(body.peer_id);
    if (peer === undefined) throw notFound('peer', body.peer_id);
    if (account.ingressPeers.all().some(one => one.peer_id === peer.id))
      throw conflict(`peer ${peer.id} already is an ingress peer`);
    const ingress: IngressPeerRecord = {
      id: objectId(account.ingressPeers, environment),
      ...body,
      ingress_ip: newAddress(account),
      region: regionOf(peer),
    };
    account.ingressPeers.put(ingress);
    return ok(view(account, ingress));
  },

  getIngressPeer: (account, request) => ok(view(account, find(account, request))),

  updateIngressPeer: (account, request) => {
    const body = request.body(UPDATE);
    const ingress = { ...find(account, request), ...body };
    account.ingressPeers.put(ingress);
    return ok(view(account, ingress));
  },

  deleteIngressPeer: (account, request) => {
    const { id } = find(account, request);
    const allocation = ingressPeerReferrer(account, id);
    if (allocation !== undefined)
      throw precondition(`ingress peer is in use by port allocation ${allocation}`);
    account.ingressPeers.remove(id);
    return done();
  },
};

/** The region of a peer, which decides which ingress peer accepts its traffic. */
export function regionOf({ machine }: PeerRecord): string {
  return machine.country_code.toLowerCase() || 'anywhere';
}

function find(account: Account, request: ApiRequest): IngressPeerRecord {
  const id = request.path('ingressPeerId');
  const ingress = account.ingressPeers.get(id);
  if (ingress === undefined) throw notFound('ingress peer', id);
  return ingress;
}

/** A public address from an unused range. */
function newAddress(account: Account): string {
  const number = nextNumber(account, 'ingress_ips') % 2 ** 16;
  return `198.18.${Math.floor(number / 256)}.${number % 256}`;
}

function view(account: Account, ingress: IngressPeerRecord) {
  const mappings = account.portAllocations
    .all()
    .filter(one => one.ingress_peer_id === ingress.id)
    .flatMap(one => one.port_range_mappings);
  return {
    ...ingress,
    connected: account.peers.get(ingress.peer_id)?.connected ?? false,
    available_ports: { tcp: portsLeft(mappings, 'tcp'), udp: portsLeft(mappings, 'udp') },
  };
}
