// The paths of traffic to network resources: the peers that receive the resources, and the traffic
// that their routing machines admit.

import type { PeerRecord } from '../records/peers.ts';
import type { Account } from '../store/account.ts';
import { routedTraffic } from './routed-rules.ts';
import { enabledRouters, policiesByResource, receives, routerSide } from './routing.ts';
import { bundled, isOn, type Member, memberOf } from './sides.ts';
import type { TrafficPath } from './traffic-path.ts';

/** Returns a function for the paths from a peer to network resources. */
export function newResourcePaths(account: Account): (peer: PeerRecord) => readonly TrafficPath[] {
  const routers = enabledRouters(account);
  const policies = policiesByResource(account);
  const routersOf = (network: string): readonly PeerRecord[] => {
    const ends = (routers.get(network) ?? []).map(routerSide).map(side => ({ side, checks: [] }));
    const peers = new Set(bundled(account, ends).flatMap(({ peers: some }) => some));
    return [...peers].filter(({ approval_required }) => !approval_required);
  };
  const byNetwork = new Map(account.networks.all().map(({ id }) => [id, routersOf(id)]));
  const routed = account.resources
    .all()
    .filter(({ enabled }) => enabled)
    .map(resource => ({
      resource,
      concerned: [...(policies.get(resource.id) ?? [])],
      routers: byNetwork.get(resource.network) ?? [],
    }));
  const isRouter = (network: string, member: Member) =>
    (routers.get(network) ?? []).some(one => isOn(routerSide(one), member));
  return peer => {
    if (peer.approval_required) return [];
    const member = memberOf(account, peer);
    return routed.flatMap(({ resource, concerned, routers: able }) => {
      // A peer that routes a network reaches the network's resources only through itself, and needs no policy for that.
      const isOwn = isRouter(resource.network, member);
      const isReceiver = isOwn || concerned.some(policy => receives(account, policy, member));
      return able
        .filter(at => isReceiver && (!isOwn || at === peer))
        .map((at): TrafficPath => {
          const target = { type: 'resource', resource } as const;
          return { target, at, ...routedTraffic(account, concerned, member, at) };
        });
    });
  };
}
