// The resources of a network (docs/server-behaviour.md#network-resources).

import { logResourceGroups, resourceMeta } from '../audit/object-meta.ts';
import { deleteResource } from '../deletion/cascades.ts';
import { targetReferrer } from '../deletion/references.ts';
import type { Environment } from '../environment.ts';
import { groupsByResource, groupsOfResource, setResourceGroups } from '../groups/membership.ts';
import { type GroupSummary, newSummaries } from '../groups/summaries.ts';
import { objectId } from '../ids/new-object.ts';
import { parseAddress } from '../normalise/address.ts';
import type { NetworkResourceRecord } from '../records/topology.ts';
import { done, ok } from '../request/answer.ts';
import { flag, list, object, type Read, text } from '../request/body.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { nullable } from '../request/lists.ts';
import { invalid, mishandled, notFound, precondition } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';
import { findNetwork } from './networks.ts';

const BODY = object({
  name: text,
  description: text,
  address: text,
  enabled: flag,
  groups: list(text),
});

export const networkResources: Handlers = {
  // An unknown network has no resources; it is not refused in this operation.
  listNetworkResources: (account, request, environment) => {
    const resources = account.resources
      .all()
      .filter(one => one.network === request.path('networkId'));
    return ok(nullable(views(account, resources, environment), environment));
  },

  createNetworkResource: (account, request, environment) => {
    const body = request.body(BODY);
    const fields = written(body, environment);
    if (isTaken(account, body.name))
      throw invalid(`resource with name ${body.name} already exists`);
    const network = findNetwork(account, request).id;
    const resource = { id: objectId(account.resources, environment), network, ...fields };
    account.log({
      code: 'network.resource.create',
      target: resource.id,
      meta: resourceMeta(account, resource),
    });
    return ok(saved(account, resource, body.groups, environment));
  },

  getNetworkResource: (account, request, environment) =>
    ok(view(account, findInNetwork(account, request, environment), environment)),

  updateNetworkResource: (account, request, environment) => {
    const body = request.body(BODY);
    const fields = written(body, environment);
    const network = findNetwork(account, request).id;
    // In dialect `netbird`, the path contains the new network of the resource, and not its current network.
    const moves = environment.behaviour.strayResources === 'moved';
    const { id } = moves ? find(account, request) : findInNetwork(account, request, environment);
    const resource = { id, network, ...fields };
    if (isTaken(account, body.name, id)) throw invalid('new resource name already exists');
    const view = saved(account, resource, body.groups, environment);
    const meta = resourceMeta(account, resource);
    account.log({ code: 'network.resource.update', target: id, meta });
    return ok(view);
  },

  deleteNetworkResource: (account, request, environment) => {
    const resource = findInNetwork(account, request, environment);
    const service = targetReferrer(account, resource.id);
    if (service !== undefined)
      throw precondition(`resource ${resource.id} is in use by proxy ${service}`);
    deleteResource(account, resource);
    return done();
  },

  // Responses do not name the network of a resource.
  listAllNetworkResources: (account, _request, environment) =>
    ok(views(account, account.resources.all(), environment)),
};

function find(account: Account, request: ApiRequest): NetworkResourceRecord {
  const id = request.path('resourceId');
  const resource = account.resources.get(id);
  if (resource === undefined) throw notFound('network resource', id);
  return resource;
}

function findInNetwork(
  account: Account,
  request: ApiRequest,
  environment: Environment,
): NetworkResourceRecord {
  const resource = find(account, request);
  if (resource.network !== request.path('networkId'))
    throw mishandled(environment, notFound('network resource', resource.id));
  return resource;
}

const byName = ({ name }: NetworkResourceRecord) => [name];

/** Names are unique in the whole account. */
function isTaken(account: Account, name: string, except?: string): boolean {
  return account.resources.having(byName, name).some(({ id }) => id !== except);
}

function written(
  { name, description, address, enabled }: Read<typeof BODY>,
  environment: Environment,
): Omit<NetworkResourceRecord, 'id' | 'network'> {
  const parsed = parseAddress(address);
  if (parsed === undefined) throw mishandled(environment, invalid(`invalid address: ${address}`));
  return { name, description, enabled, ...parsed };
}

function saved(
  account: Account,
  resource: NetworkResourceRecord,
  groups: readonly string[],
  environment: Environment,
) {
  for (const group of groups)
    if (account.groups.get(group) === undefined) throw notFound('group', group);
  const before = groupsOfResource(account, resource.id);
  account.resources.put(resource);
  setResourceGroups(account, resource, groups);
  // A group that is listed twice is logged twice.
  const after = groups.flatMap(id => account.groups.get(id) ?? []);
  logResourceGroups(account, resource, before, after);
  return view(account, resource, environment);
}

function view(account: Account, resource: NetworkResourceRecord, environment: Environment) {
  const groups = groupsOfResource(account, resource.id);
  return shown(resource, groups.map(newSummaries(account, environment)), environment);
}

/** Resources in a response; each group is summarised once. */
function views(
  account: Account,
  resources: readonly NetworkResourceRecord[],
  environment: Environment,
) {
  const groups = groupsByResource(account);
  const summary = newSummaries(account, environment);
  return resources.map(resource =>
    shown(resource, (groups.get(resource.id) ?? []).map(summary), environment),
  );
}

function shown(
  { network: _, ...resource }: NetworkResourceRecord,
  groups: readonly GroupSummary[],
  environment: Environment,
) {
  return { ...resource, groups: nullable(groups, environment) };
}
