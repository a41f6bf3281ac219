// The paths of traffic to routes: the peers that receive the routes, and the traffic that their
// routing machines admit.

import type { Environment } from '../environment.ts';
import { isLoginExpired } from '../peers/peer-view.ts';
import type { PeerRecord } from '../records/peers.ts';
import type { PolicyRecord, RouteRecord, RuleRecord } from '../records/topology.ts';
import type { Account } from '../store/account.ts';
import { edgesOf } from './edges.ts';
import { EVERYTHING } from './port-ranges.ts';
import { routedTraffic } from './routed-rules.ts';
import { bundled, destinationSide, isOn, type Member, memberOf, type Side } from './sides.ts';
import type { TrafficPath } from './traffic-path.ts';

interface Served {
  readonly route: RouteRecord;
  readonly routers: readonly PeerRecord[];
}

/** Returns a function for the paths from a peer to routes. */
export function newRoutePaths(
  account: Account,
  environment: Environment,
): (peer: PeerRecord) => readonly TrafficPath[] {
  const routes = account.routes.all();
  const isFit = (router: PeerRecord) =>
    !router.approval_required && !isLoginExpired(account, router, environment);
  const served = routes
    .filter(({ enabled }) => enabled)
    .map(route => ({ route, routers: peersOn(account, servingSide(route)).filter(isFit) }));
  const seen = newSeenPolicies(account, served);
  return peer => {
    if (peer.approval_required) return [];
    const member = memberOf(account, peer);
    const connected = connectedPeers(account, member);
    const own = routes.filter(route => isOn(servingSide(route), member));
    return served
      .filter(({ route }) => route.groups.some(group => member.groups.has(group)))
      .flatMap(({ route, routers }) => {
        const isOwn = own.some(one => isSame(one, route));
        const sending = routers.filter(at =>
          isOwn ? at === peer && route.access_control_groups.length > 0 : connected.has(at),
        );
        return sending.map(at => wayTo(account, member, { route, at, policies: seen(at) }));
      });
  };
}

interface Hop {
  readonly route: RouteRecord;
  readonly at: PeerRecord;
  /** The policies that the server sends to the routing machine. */
  readonly policies: ReadonlySet<PolicyRecord>;
}

function wayTo(account: Account, member: Member, { route, at, policies }: Hop): TrafficPath {
  const target = { type: 'route', route } as const;
  // Without access control groups the routing machine accepts everything.
  if (route.access_control_groups.length === 0)
    return { target, at, grants: [{ traffic: EVERYTHING }], drops: [] };
  const controlling = account.policies
    .all()
    .filter(policy => policy.enabled && policies.has(policy) && controls(policy, route));
  return { target, at, ...routedTraffic(account, controlling, member, at) };
}

/** Whether any rule of a policy, even a disabled one, has an access control group of a route among its destinations. */
function controls({ rules }: PolicyRecord, { access_control_groups }: RouteRecord): boolean {
  return rules.some(rule => isToward(rule, access_control_groups));
}

function isToward(rule: RuleRecord, groups: readonly string[]): boolean {
  return destinationSide(rule).groups.some(group => groups.includes(group));
}

function servingSide({ peer, peer_groups }: RouteRecord): Side {
  return peer === '' ? { groups: peer_groups ?? [] } : { groups: [], peer };
}

function peersOn(account: Account, side: Side): readonly PeerRecord[] {
  return [...new Set(bundled(account, [{ side, checks: [] }]).flatMap(({ peers: some }) => some))];
}

/** Whether two route objects are the same route, which several machines serve together. */
function isSame(one: RouteRecord, other: RouteRecord): boolean {
  return (
    one.network_id === other.network_id &&
    one.network === other.network &&
    one.domains.join() === other.domains.join()
  );
}

/** The peers that any rule connects with a peer, in any direction; rules that drop traffic count too. */
function connectedPeers(account: Account, member: Member): ReadonlySet<PeerRecord> {
  return new Set(bundled(account, edgesOf(account, member)).flatMap(({ peers }) => peers));
}

/**
 * Returns a function for the policies that the server sends to a routing machine. An enabled rule of such a policy has the
 * machine on a side, or names an access control group of an enabled route which the machine serves or receives.
 */
function newSeenPolicies(
  account: Account,
  served: readonly Served[],
): (router: PeerRecord) => ReadonlySet<PolicyRecord> {
  const known = new Map<PeerRecord, ReadonlySet<PolicyRecord>>();
  const find = (router: PeerRecord) => {
    const member = memberOf(account, router);
    const connected = connectedPeers(account, member);
    const controlled = served
      .filter(
        ({ route, routers }) =>
          routers.includes(router) ||
          (route.groups.some(group => member.groups.has(group)) &&
            routers.some(other => connected.has(other))),
      )
      .flatMap(({ route }) => route.access_control_groups);
    const concerning = account.policies
      .all()
      .filter(
        ({ enabled, rules }) =>
          enabled && rules.some(rule => rule.enabled && isToward(rule, controlled)),
      );
    return new Set([...edgesOf(account, member).map(({ policy }) => policy), ...concerning]);
  };
  return router => {
    const before = known.get(router) ?? find(router);
    known.set(router, before);
    return before;
  };
}
