// Networks (facts §5.2). Nothing of one is checked, and all its lists are computed.
import type { Account } from '../account.ts';
import { done, ok } from '../answer.ts';
import { object, text } from '../body.ts';
import { deleteNetwork } from '../cascades.ts';
import type { Environment } from '../environment.ts';
import type { ApiRequest, Handlers } from '../handler.ts';
import { nullable } from '../lists.ts';
import { hasResource, peersOf } from '../membership.ts';
import type {
  NetworkRecord,
  NetworkResourceRecord,
  NetworkRouterRecord,
  RuleRecord,
} from '../records/topology.ts';
import { notFound } from '../refusal.ts';

const BODY = object({ name: text, description: text });

/** Which of a network's lists read as null when empty, by where it is read (facts §5.2). */
type Nulls = { readonly routers: boolean; readonly resources: boolean };
const CREATED: Nulls = { routers: false, resources: false };
const LISTED: Nulls = { routers: false, resources: true };
const ALONE: Nulls = { routers: true, resources: true };

export const networks: Handlers = {
  listNetworks: (account, _request, environment) =>
    ok(account.networks.all().map(network => view(account, network, LISTED, environment))),

  createNetwork: (account, request, environment) => {
    const network = { id: environment.newId(), ...request.body(BODY) };
    account.networks.put(network);
    account.log({ code: 'network.create', target: network.id, meta: { name: network.name } });
    return ok(view(account, network, CREATED, environment));
  },

  getNetwork: (account, request, environment) =>
    ok(view(account, findNetwork(account, request), ALONE, environment)),

  updateNetwork: (account, request, environment) => {
    const body = request.body(BODY);
    const network = { ...findNetwork(account, request), ...body };
    account.networks.put(network);
    account.log({ code: 'network.update', target: network.id, meta: { name: network.name } });
    return ok(view(account, network, ALONE, environment));
  },

  deleteNetwork: (account, request) => {
    deleteNetwork(account, findNetwork(account, request));
    return done();
  },
};

/** The network that a path names. */
export function findNetwork(account: Account, request: ApiRequest): NetworkRecord {
  const id = request.path('networkId');
  const network = account.networks.get(id);
  if (network === undefined) throw notFound('network', id);
  return network;
}

function view(account: Account, network: NetworkRecord, nulls: Nulls, environment: Environment) {
  const ofNetwork = (one: { readonly network: string }) => one.network === network.id;
  const routers = account.routers.all().filter(ofNetwork);
  const resources = account.resources.all().filter(ofNetwork);
  const ids = (list: readonly { readonly id: string }[], canBeNull: boolean) => {
    const all = list.map(({ id }) => id);
    return canBeNull ? nullable(all, environment) : all;
  };
  return {
    ...network,
    routers: ids(routers, nulls.routers),
    routing_peers_count: routingPeers(account, routers),
    resources: ids(resources, nulls.resources),
    policies: policiesInto(account, resources),
  };
}

/** A peer in two of the groups counts twice. */
function routingPeers(account: Account, routers: readonly NetworkRouterRecord[]): number {
  const groups = routers.flatMap(router => router.peer_groups);
  const members = groups
    .flatMap(id => account.groups.get(id) ?? [])
    .map(group => peersOf(account, group).length);
  const single = routers.filter(router => router.peer !== '').length;
  return members.reduce((sum, count) => sum + count, single);
}

/** The ids of the enabled policies with an enabled rule that leads to one of the resources. */
function policiesInto(
  account: Account,
  resources: readonly NetworkResourceRecord[],
): readonly string[] {
  const leads = (rule: RuleRecord): boolean =>
    rule.enabled && resources.some(({ id }) => isDestination(account, rule, id));
  return account.policies
    .all()
    .filter(policy => policy.enabled && policy.rules.some(leads))
    .map(policy => policy.id);
}

function isDestination(account: Account, rule: RuleRecord, resource: string): boolean {
  if (rule.destinationResource?.id === resource) return true;
  return rule.destinations.some(id => {
    const group = account.groups.get(id);
    return group !== undefined && hasResource(group, resource);
  });
}
