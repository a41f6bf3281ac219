// The resources of a network (facts §5.3).

import { requireRight } from '../access/permissions.ts';
import type { Account } from '../account.ts';
import { done, ok } from '../answer.ts';
import { flag, list, object, type Read, text } from '../body.ts';
import { deleteResource } from '../cascades.ts';
import type { Environment } from '../environment.ts';
import type { ApiRequest, Handler, Handlers } from '../handler.ts';
import { logResourceGroups, resourceMeta } from '../happenings.ts';
import { nullable } from '../lists.ts';
import { groupsOfResource, setResourceGroups } from '../membership.ts';
import { parseAddress } from '../normalise/address.ts';
import type { NetworkResourceRecord } from '../records/topology.ts';
import { invalid, mishandled, notFound } from '../refusal.ts';
import { summary } from '../summaries.ts';
import { findNetwork } from './networks.ts';

const BODY = object({
  name: text,
  description: text,
  address: text,
  enabled: flag,
  groups: list(text),
});

export const networkResources: Handlers = {
  // An unknown network has no resources: it is not refused here.
  listNetworkResources: (account, request, environment) => {
    const resources = account.resources
      .all()
      .filter(one => one.network === request.path('networkId'));
    return ok(
      nullable(
        resources.map(one => view(account, one, environment)),
        environment,
      ),
    );
  },

  createNetworkResource: (account, request, environment) => {
    const body = request.body(BODY);
    const network = findNetwork(account, request);
    if (isTaken(account, body.name))
      throw invalid(`resource with name ${body.name} already exists`);
    const resource = written(body, { id: environment.newId(), network: network.id }, environment);
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
    const network = findNetwork(account, request);
    // In dialect `netbird` the path says where the resource is to be, not where it is.
    const moves = environment.behaviour.strayResources === 'moved';
    const { id } = moves ? find(account, request) : findInNetwork(account, request, environment);
    if (isTaken(account, body.name, id)) throw invalid('new resource name already exists');
    const resource = written(body, { id, network: network.id }, environment);
    const view = saved(account, resource, body.groups, environment);
    const meta = resourceMeta(account, resource);
    account.log({ code: 'network.resource.update', target: id, meta });
    return ok(view);
  },

  deleteNetworkResource: (account, request, environment) => {
    deleteResource(account, findInNetwork(account, request, environment));
    return done();
  },
};

/** The resources of all networks, without a word of which is whose. */
export const allNetworkResources: Handler = (account, { caller }, environment) => {
  requireRight(caller, 'networks', 'read');
  return ok(account.resources.all().map(one => view(account, one, environment)));
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

/** Names are unique in the whole account. */
function isTaken(account: Account, name: string, except?: string): boolean {
  return account.resources.all().some(one => one.name === name && one.id !== except);
}

function written(
  { name, description, address, enabled }: Read<typeof BODY>,
  place: { readonly id: string; readonly network: string },
  environment: Environment,
): NetworkResourceRecord {
  const parsed = parseAddress(address);
  if (parsed === undefined) throw mishandled(environment, invalid(`invalid address: ${address}`));
  return { ...place, name, description, enabled, ...parsed };
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
  logResourceGroups(account, resource, before, groupsOfResource(account, resource.id));
  return view(account, resource, environment);
}

function view(account: Account, resource: NetworkResourceRecord, environment: Environment) {
  const { network: _, ...shown } = resource;
  const groups = groupsOfResource(account, resource.id);
  return {
    ...shown,
    groups: nullable(
      groups.map(group => summary(account, group, environment)),
      environment,
    ),
  };
}
