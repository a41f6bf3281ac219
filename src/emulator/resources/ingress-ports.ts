// Ports of peers that are reachable from the internet (docs/server-behaviour.md#ingress). The public ports are chosen here.
import { present } from '../../model/errors.ts';
import { mapPorts, type Wanted } from '../addresses/port-mappings.ts';
import { objectId } from '../ids/new-object.ts';
import type {
  IngressPeerRecord,
  PeerRecord,
  PortAllocationRecord,
  PortMapping,
} from '../records/peers.ts';
import { done, ok } from '../request/answer.ts';
import { flag, list, object, optional, type Read, text, whole } from '../request/body.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { invalid, notFound, precondition } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';
import { regionOf } from './ingress-peers.ts';
import { findPeer } from './peers.ts';

const BODY = object({
  name: text,
  enabled: flag,
  port_ranges: optional(list(object({ start: whole, end: whole, protocol: text }))),
  direct_port: optional(object({ count: whole, protocol: text })),
});

const MAX_PORT = 65_535;

export const ingressPorts: Handlers = {
  listIngressPortAllocations: (account, request) => {
    const peer = findPeer(account, request);
    const name = request.query('name');
    const found = account.portAllocations
      .all()
      .filter(one => one.peer === peer.id && (name === '' || one.name === name));
    return ok(found.map(one => view(account, one)));
  },

  createIngressPortAllocation: (account, request, environment) => {
    const body = request.body(BODY);
    const peer = findPeer(account, request);
    const ingress = ingressFor(account, peer);
    const port_range_mappings = mappings(account, ingress, wantedPorts(body));
    const { name, enabled } = body;
    const allocation: PortAllocationRecord = {
      id: objectId(account.portAllocations, environment),
      peer: peer.id,
      name,
      enabled,
      ingress_peer_id: ingress.id,
      port_range_mappings,
    };
    account.portAllocations.put(allocation);
    return ok(view(account, allocation));
  },

  getIngressPortAllocation: (account, request) => ok(view(account, find(account, request))),

  updateIngressPortAllocation: (account, request) => {
    const body = request.body(BODY);
    const before = find(account, request);
    const ingress = ingressOf(account, before);
    const port_range_mappings = mappings(account, ingress, wantedPorts(body), before);
    const { name, enabled } = body;
    const allocation = { ...before, name, enabled, port_range_mappings };
    account.portAllocations.put(allocation);
    return ok(view(account, allocation));
  },

  deleteIngressPortAllocation: (account, request) => {
    account.portAllocations.remove(find(account, request).id);
    return done();
  },
};

function find(account: Account, request: ApiRequest): PortAllocationRecord {
  const peer = findPeer(account, request);
  const id = request.path('allocationId');
  const allocation = account.portAllocations.get(id);
  if (allocation === undefined || allocation.peer !== peer.id)
    throw notFound('port allocation', id);
  return allocation;
}

/** The requested ports in a body: ranges of the peer, or a number of ports that are the same on both sides. */
function wantedPorts({ port_ranges, direct_port }: Read<typeof BODY>): readonly Wanted[] {
  if (port_ranges !== undefined && direct_port !== undefined)
    throw invalid('specify either port_ranges or direct_port, not both');
  if (direct_port !== undefined) {
    if (direct_port.count < 1) throw invalid('direct_port.count must be at least 1');
    return [direct_port];
  }
  if (port_ranges === undefined || port_ranges.length === 0)
    throw invalid('specify either port_ranges or direct_port');
  for (const { start, end } of port_ranges)
    if (start < 1 || end > MAX_PORT || start > end)
      throw invalid(`invalid port range: ${start}-${end}`);
  return port_ranges;
}

/** The ingress peer in the region of a peer; if there is none, an ingress peer that also serves regions without one. */
function ingressFor(account: Account, peer: PeerRecord): IngressPeerRecord {
  const enabled = account.ingressPeers.all().filter(ingress => ingress.enabled);
  const found =
    enabled.find(ingress => ingress.region === regionOf(peer)) ??
    enabled.find(ingress => ingress.fallback);
  if (found === undefined) throw precondition('no ingress peer serves the region of the peer');
  return found;
}

function ingressOf(account: Account, { ingress_peer_id }: PortAllocationRecord): IngressPeerRecord {
  return present(account.ingressPeers.get(ingress_peer_id), 'the ingress peer of an allocation');
}

/** Mappings for all requested ports that avoid the ports of other allocations. */
function mappings(
  account: Account,
  { id }: IngressPeerRecord,
  wanted: readonly Wanted[],
  before?: PortAllocationRecord,
): readonly PortMapping[] {
  const others = account.portAllocations
    .all()
    .filter(one => one.ingress_peer_id === id && one.id !== before?.id);
  const taken = others.flatMap(one => one.port_range_mappings);
  const found = mapPorts(wanted, before?.port_range_mappings ?? [], taken);
  if (found === undefined) throw precondition('the ingress peer has not enough free ports');
  return found;
}

function view(account: Account, allocation: PortAllocationRecord) {
  const { region, ingress_ip } = ingressOf(account, allocation);
  const { peer: _, ...shown } = allocation;
  return { ...shown, region, ingress_ip };
}
