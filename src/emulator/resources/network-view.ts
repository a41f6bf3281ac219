// Networks in responses: all their lists are computed (docs/server-behaviour.md#networks). A value that several networks share is
// computed once.

import type { Environment } from '../environment.ts';
import { memberCount } from '../groups/summaries.ts';
import type { NetworkRecord, NetworkRouterRecord, RuleRecord } from '../records/topology.ts';
import { nullable } from '../request/lists.ts';
import type { Account } from '../store/account.ts';

/** The empty lists of a network that read as null, which depend on the operation (docs/server-behaviour.md#networks). */
type Nulls = { readonly routers: boolean; readonly resources: boolean };
export const CREATED: Nulls = { routers: false, resources: false };
export const LISTED: Nulls = { routers: false, resources: true };
export const ALONE: Nulls = { routers: true, resources: true };

/** Networks in a response. */
export function networkViews(
  account: Account,
  networks: readonly NetworkRecord[],
  nulls: Nulls,
  environment: Environment,
) {
  const resources = byNetwork(account.resources.all());
  const routers = byNetwork(account.routers.all());
  const policies = policiesInto(account);
  const members = memberCounter(account, environment);
  const ids = (list: readonly { readonly id: string }[], canBeNull: boolean) => {
    const all = list.map(({ id }) => id);
    return canBeNull ? nullable(all, environment) : all;
  };
  return networks.map(network => {
    const own = routers.get(network.id) ?? [];
    return {
      ...network,
      routers: ids(own, nulls.routers),
      routing_peers_count: routingPeers(own, members),
      resources: ids(resources.get(network.id) ?? [], nulls.resources),
      policies: policies.get(network.id) ?? [],
    };
  });
}

function byNetwork<T extends { readonly network: string }>(
  all: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  return Map.groupBy(all, ({ network }) => network);
}

/** Returns a function for the number of peers in a group, which is counted once per group. */
function memberCounter(account: Account, environment: Environment): (group: string) => number {
  const known = new Map<string, number>();
  return id => {
    const group = account.groups.get(id);
    const count =
      known.get(id) ?? (group === undefined ? 0 : memberCount(account, group, environment));
    known.set(id, count);
    return count;
  };
}

/** The number of routing peers; a peer in two of the groups counts twice. */
function routingPeers(
  routers: readonly NetworkRouterRecord[],
  members: (group: string) => number,
): number {
  const groups = routers.flatMap(({ peer_groups }) => peer_groups ?? []);
  const single = routers.filter(({ peer }) => peer !== '').length;
  return groups.reduce((sum, group) => sum + members(group), single);
}

/** The ids of the enabled policies with an enabled rule for a resource of a network, by network. */
function policiesInto(account: Account): ReadonlyMap<string, readonly string[]> {
  const networksOf = networksOfGroups(account);
  const led = ({ destinations, destinationResource }: RuleRecord): readonly string[] => {
    const resource = account.resources.get(destinationResource?.id ?? '');
    return [...destinations.flatMap(networksOf), ...(resource ? [resource.network] : [])];
  };
  const found = new Map<string, string[]>();
  for (const policy of account.policies.all().filter(({ enabled }) => enabled)) {
    const rules = policy.rules.filter(({ enabled }) => enabled);
    for (const network of new Set(rules.flatMap(led))) {
      const ids = found.get(network) ?? [];
      ids.push(policy.id);
      found.set(network, ids);
    }
  }
  return found;
}

/** Returns a function for the networks of the resources in a group, which are computed once per group. */
function networksOfGroups(account: Account): (group: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return id => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const resources = account.groups.get(id)?.resources ?? [];
    const networks = resources.flatMap(one => account.resources.get(one.id)?.network ?? []);
    const found = [...new Set(networks)];
    known.set(id, found);
    return found;
  };
}
