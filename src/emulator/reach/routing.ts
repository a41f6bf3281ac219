// The peers that route network resources, and the peers that receive them.

import { groupsByResource } from '../groups/membership.ts';
import type { PeerRecord } from '../records/peers.ts';
import type {
  NetworkResourceRecord,
  NetworkRouterRecord,
  PolicyRecord,
} from '../records/topology.ts';
import type { Account } from '../store/account.ts';
import {
  bundled,
  checksOf,
  type End,
  isOn,
  type Member,
  passesAll,
  type Side,
  sourceSide,
} from './sides.ts';

/**
 * The peers that a peer knows because of network resources: the receivers of resources that it routes, and the routing peers of
 * resources that it receives. Peers that await approval are left out.
 */
export function knownByRouting(account: Account, member: Member): readonly PeerRecord[] {
  const routers = enabledRouters(account);
  const policies = policiesByResource(account);
  const ends = account.resources
    .all()
    .filter(({ enabled }) => enabled)
    .flatMap(({ id, network }): readonly End[] => {
      const concerned = [...(policies.get(id) ?? [])];
      const sides = (routers.get(network) ?? []).map(routerSide);
      if (sides.some(side => isOn(side, member))) return concerned.map(receivers);
      const isReceiver = concerned.some(policy => receives(account, policy, member));
      return isReceiver ? sides.map(side => ({ side, checks: [] })) : [];
    });
  return bundled(account, ends)
    .flatMap(({ peers }) => peers)
    .filter(peer => !peer.approval_required);
}

/** The enabled routers of each network. */
export function enabledRouters(
  account: Account,
): ReadonlyMap<string, readonly NetworkRouterRecord[]> {
  return Map.groupBy(
    account.routers.all().filter(({ enabled }) => enabled),
    ({ network }) => network,
  );
}

/** The peers that a network router names. */
export function routerSide({ peer, peer_groups }: NetworkRouterRecord): Side {
  return peer === '' ? { groups: peer_groups ?? [] } : { groups: [], peer };
}

/**
 * The receivers of the resources of a policy: the single source of its first rule, or the sources of all its rules. Whether these
 * rules are enabled does not matter.
 */
function receivers(policy: PolicyRecord): End {
  const [first] = policy.rules;
  const { peer } = first === undefined ? { peer: undefined } : sourceSide(first);
  const groups = policy.rules.flatMap(({ sources }) => sources);
  return {
    side: peer === undefined ? { groups } : { groups: [], peer },
    checks: checksOf(policy),
  };
}

/** Whether a peer may reach the resources of a policy, because it is among the receivers and passes the posture checks. */
export function receives(account: Account, policy: PolicyRecord, member: Member): boolean {
  const { side, checks } = receivers(policy);
  return isOn(side, member) && passesAll(account, member.peer, checks);
}

/** The enabled policies for each resource: an enabled rule names the resource, or a group that contains it. */
export function policiesByResource(
  account: Account,
): ReadonlyMap<string, ReadonlySet<PolicyRecord>> {
  const byTarget = new Map<string, Set<PolicyRecord>>();
  for (const policy of account.policies.all())
    for (const target of policy.enabled ? policy.rules.flatMap(targets) : []) {
      const policies = byTarget.get(target) ?? new Set();
      byTarget.set(target, policies.add(policy));
    }
  const groups = groupsByResource(account);
  const concerning = ({ id }: NetworkResourceRecord) =>
    [`resource ${id}`, ...(groups.get(id) ?? []).map(group => `group ${group.id}`)].flatMap(
      target => [...(byTarget.get(target) ?? [])],
    );
  return new Map(account.resources.all().map(one => [one.id, new Set(concerning(one))]));
}

function targets({ enabled, destinations, destinationResource }: PolicyRecord['rules'][number]) {
  if (!enabled) return [];
  const resource = destinationResource === null ? [] : [`resource ${destinationResource.id}`];
  return [...resource, ...destinations.map(group => `group ${group}`)];
}
