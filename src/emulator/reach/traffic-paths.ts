// The paths of traffic from a peer: every machine, network resource and route to which the peer may
// send traffic, with the traffic that the admitting machine accepts and drops.

import type { Environment } from '../environment.ts';
import type { PeerRecord } from '../records/peers.ts';
import type { RuleRecord } from '../records/topology.ts';
import type { Account } from '../store/account.ts';
import { hasPort, type Protocol, type Traffic, takesRanges, trafficOf } from './port-ranges.ts';
import { concernedPeers } from './reached.ts';
import { newResourcePaths } from './resource-paths.ts';
import { newRoutePaths } from './route-paths.ts';
import type { Grant, TrafficPath } from './traffic-path.ts';

/** Returns a function for the paths from a peer of an account. */
export function newTrafficPaths(
  account: Account,
  environment: Environment,
): (peer: PeerRecord) => readonly TrafficPath[] {
  const traffic = newTraffic();
  const resourceWays = newResourcePaths(account);
  const routeWays = newRoutePaths(account, environment);
  return peer => [
    ...machineWays(account, peer, traffic, environment),
    ...resourceWays(peer),
    ...routeWays(peer),
  ];
}

/**
 * The grants of a path that accept traffic of this protocol and port; empty if the traffic is
 * dropped.
 */
export function acceptedBy(
  { grants, drops }: Pick<TrafficPath, 'grants' | 'drops'>,
  protocol: Protocol,
  port: number,
): readonly Grant[] {
  if (drops.some(traffic => hasPort(traffic, protocol, port))) return [];
  return grants.filter(({ traffic }) => hasPort(traffic, protocol, port));
}

function machineWays(
  account: Account,
  peer: PeerRecord,
  trafficAt: ReturnType<typeof newTraffic>,
  environment: Environment,
): readonly TrafficPath[] {
  return [...concernedPeers(account, peer, environment)].map(([at, bundles]): TrafficPath => {
    const withRanges = takesRanges(at);
    const edges = bundles.flat().map(({ policy, rule, isSource }) => ({
      policy,
      isBackward: !isSource,
      isDrop: rule.action === 'drop',
      traffic: trafficAt(rule, withRanges),
    }));
    return {
      target: { type: 'machine', peer: at },
      at,
      grants: edges.filter(({ isDrop }) => !isDrop),
      drops: edges.filter(({ isDrop }) => isDrop).map(({ traffic }) => traffic),
    };
  });
}

/**
 * Returns a function for the traffic of a rule. It returns the same object for equal arguments, because many machines admit the
 * same traffic.
 */
function newTraffic(): (rule: RuleRecord, withRanges: boolean) => Traffic {
  const known = { true: new Map<RuleRecord, Traffic>(), false: new Map<RuleRecord, Traffic>() };
  return (rule, withRanges) => {
    const table = known[`${withRanges}`];
    const traffic = table.get(rule) ?? trafficOf(rule, withRanges);
    table.set(rule, traffic);
    return traffic;
  };
}
