// The routers of a network (docs/server-behaviour.md#network-routers).

import { routerMeta } from '../audit/object-meta.ts';
import { deleteRouter } from '../deletion/cascades.ts';
import type { Environment } from '../environment.ts';
import { objectId } from '../ids/new-object.ts';
import type { NetworkRouterRecord } from '../records/topology.ts';
import { done, ok } from '../request/answer.ts';
import { flag, list, object, optional, type Read, text, whole } from '../request/body.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { readList } from '../request/lists.ts';
import { impossible, mishandled, notFound } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';
import { findNetwork } from './networks.ts';

const BODY = object({
  peer: text,
  peer_groups: optional(list(text)),
  metric: whole,
  masquerade: flag,
  enabled: flag,
});

export const networkRouters: Handlers = {
  listNetworkRouters: (account, request, environment) => {
    const routers = account.routers.all().filter(one => one.network === request.path('networkId'));
    return ok(routers.map(router => view(router, environment)));
  },

  createNetworkRouter: (account, request, environment) => {
    const body = written(request);
    const network = findNetwork(account, request).id;
    const enabled = body.enabled || environment.behaviour.newRouters === 'always enabled';
    const router: NetworkRouterRecord = {
      id: objectId(account.routers, environment),
      network,
      ...body,
      enabled,
    };
    account.routers.put(router);
    const meta = routerMeta(account, router);
    account.log({ code: 'network.router.create', target: router.id, meta });
    return ok(view(router, environment));
  },

  getNetworkRouter: (account, request, environment) => {
    const router = find(account, request);
    if (isElsewhere(router, request))
      throw mishandled(environment, notFound('network router', router.id));
    return ok(view(router, environment));
  },

  updateNetworkRouter: (account, request, environment) => {
    const body = written(request);
    findNetwork(account, request);
    const router: NetworkRouterRecord = { ...findToWrite(account, request), ...body };
    account.routers.put(router);
    const meta = routerMeta(account, router);
    account.log({ code: 'network.router.update', target: router.id, meta });
    return ok(view(router, environment));
  },

  deleteNetworkRouter: (account, request) => {
    findNetwork(account, request);
    deleteRouter(account, findToWrite(account, request));
    return done();
  },

  // Responses do not name the network of a router.
  listAllNetworkRouters: (account, _request, environment) =>
    ok(account.routers.all().map(router => view(router, environment))),
};

function find(account: Account, request: ApiRequest): NetworkRouterRecord {
  const id = request.path('routerId');
  const router = account.routers.get(id);
  if (router === undefined) throw notFound('network router', id);
  return router;
}

function findToWrite(account: Account, request: ApiRequest): NetworkRouterRecord {
  const router = find(account, request);
  if (isElsewhere(router, request))
    throw impossible(`router ${router.id} is not part of the network ${request.path('networkId')}`);
  return router;
}

function isElsewhere(router: NetworkRouterRecord, request: ApiRequest): boolean {
  return router.network !== request.path('networkId');
}

function written(request: ApiRequest) {
  const { peer_groups = null, ...body } = request.body(BODY, refuseSides);
  return { ...body, peer_groups };
}

/**
 * Refuses a router unless it has either a peer or groups. An empty peer and an empty list count as missing. Whether the peer and
 * the groups exist is not checked.
 */
function refuseSides({ peer, peer_groups = [] }: Read<typeof BODY>): void {
  const hasPeer = peer !== '';
  const hasGroups = peer_groups.length > 0;
  if (hasPeer && hasGroups) throw impossible('peer and peer_groups cannot be set at the same time');
  if (!hasPeer && !hasGroups) throw impossible('either peer or peer_groups must be provided');
}

function view({ network: _, ...router }: NetworkRouterRecord, environment: Environment) {
  return { ...router, peer_groups: readList(router.peer_groups, environment) };
}
