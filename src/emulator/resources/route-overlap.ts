// A peer must not have two routes to the same destination (docs/server-behaviour.md#routes).

import { peersOf } from '../groups/membership.ts';
import type { RouteRecord } from '../records/topology.ts';
import { conflict, invalid } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';

/**
 * Refuses a route whose routing peers already serve, through groups, another route to the same network or domains. A single peer
 * of the other route is ignored, as on the server.
 */
export function refuseOverlap(account: Account, route: RouteRecord): void {
  const others = account.routes
    .all()
    .filter(one => one.id !== route.id && leadsTheSameWay(one, route));
  const groups = new Set(others.flatMap(other => other.peer_groups ?? []));
  const peers = new Set([...groups].flatMap(group => members(account, group)));
  if (peers.has(route.peer)) throw conflict(`peer ${route.peer} already has this route`);
  for (const group of route.peer_groups ?? []) {
    if (groups.has(group)) throw conflict(`peer group ${group} already has this route`);
    const shared = members(account, group).find(peer => peers.has(peer));
    if (shared !== undefined)
      throw conflict(`peer ${shared} of group ${group} already has this route`);
  }
}

/** Whether two routes have the same range, or the same domains in the same order. `network_id` is not compared. */
function leadsTheSameWay(one: RouteRecord, other: RouteRecord): boolean {
  const way = ({ network, domains }: RouteRecord) => JSON.stringify([network, domains]);
  return way(one) === way(other);
}

function members(account: Account, id: string): readonly string[] {
  const group = account.groups.get(id);
  if (group === undefined) throw invalid(`peer group ${id} does not exist`);
  return peersOf(account, group).map(peer => peer.id);
}
