// Routes (docs/server-behaviour.md#routes). The response for a route may not be valid as a request.

import type { Environment } from '../environment.ts';
import { objectId } from '../ids/new-object.ts';
import { listText, type Meta } from '../records/audit-meta.ts';
import type { RouteRecord } from '../records/topology.ts';
import { done, ok } from '../request/answer.ts';
import { flag, list, object, optional, type Read, text, whole } from '../request/body.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { nullable } from '../request/lists.ts';
import { invalid, notFound } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';
import { destination } from './route-destination.ts';
import { refuseOverlap } from './route-overlap.ts';

const BODY = object({
  description: text,
  network_id: text,
  enabled: flag,
  peer: optional(text),
  peer_groups: optional(list(text)),
  network: optional(text),
  domains: optional(list(text)),
  metric: whole,
  masquerade: flag,
  groups: list(text),
  keep_route: flag,
  access_control_groups: list(text),
  skip_auto_apply: flag,
});

const MAX_NETWORK_ID = 40;
const MAX_METRIC = 9999;

export const routes: Handlers = {
  listRoutes: (account, _request, environment) =>
    ok(account.routes.all().map(route => view(route, environment))),

  createRoute: (account, request, environment) =>
    ok(
      view(
        save(
          account,
          request.body(BODY, checked),
          objectId(account.routes, environment),
          'route.add',
        ),
        environment,
      ),
    ),

  getRoute: (account, request, environment) => ok(view(find(account, request), environment)),

  updateRoute: (account, request, environment) => {
    request.requireRead();
    const { id } = find(account, request);
    return ok(view(save(account, request.body(BODY, checked), id, 'route.update'), environment));
  },

  deleteRoute: (account, request) => {
    const route = find(account, request);
    account.routes.remove(route.id);
    account.log({ code: 'route.delete', target: route.id, meta: metaOf(route) });
    return done();
  },
};

function find(account: Account, request: ApiRequest): RouteRecord {
  const id = request.path('routeId');
  const route = account.routes.get(id);
  if (route === undefined) throw notFound('route', id);
  return route;
}

function save(
  account: Account,
  body: Read<typeof BODY>,
  id: string,
  code: 'route.add' | 'route.update',
): RouteRecord {
  refuseUnknown(account, body);
  const { peer = '', peer_groups = null } = body;
  const route: RouteRecord = { id, ...body, ...destination(body), peer, peer_groups };
  refuseOverlap(account, route);
  account.routes.put(route);
  account.log({ code, target: id, meta: metaOf(route) });
  return route;
}

function metaOf({ network_id, network, domains, peer, peer_groups }: RouteRecord): Meta {
  return {
    name: network_id,
    network_range: network,
    domains: domains.join(', '),
    peer_id: peer,
    peer_groups: listText(peer_groups),
  };
}

/** Checks the fields of a route without the account. An empty peer or list counts as given; null and a missing field do not. */
function checked(body: Read<typeof BODY>): void {
  if ((body.network === undefined) === (body.domains === undefined))
    throw invalid('either network or domains must be set, and not both');
  if ((body.peer === undefined) === (body.peer_groups === undefined))
    throw invalid('either peer or peer_groups must be set, and not both');
  const length = [...body.network_id].length;
  if (length < 1 || length > MAX_NETWORK_ID)
    throw invalid(`network_id must be 1 to ${MAX_NETWORK_ID} characters long`);
  destination(body);
}

/** Refuses a metric out of range, a route without groups, and a group or a peer that does not exist. */
function refuseUnknown(account: Account, body: Read<typeof BODY>): void {
  if (body.metric < 1 || body.metric > MAX_METRIC)
    throw invalid(`metric should be between 1 and ${MAX_METRIC}`);
  if (body.groups.length === 0) throw invalid('groups must not be empty');
  for (const id of [...body.groups, ...(body.peer_groups ?? []), ...body.access_control_groups])
    if (account.groups.get(id) === undefined) throw invalid(`group id ${id} not found`);
  if (body.peer && account.peers.get(body.peer) === undefined)
    throw invalid(`peer with ID ${body.peer} not found`);
}

/** A route in a response. `peer`, `network` and `domains` are always present; optional groups only if there are any. */
function view(
  { peer_groups, access_control_groups, ...route }: RouteRecord,
  environment: Environment,
) {
  return {
    ...route,
    domains: nullable(route.domains, environment),
    ...(peer_groups !== null && peer_groups.length > 0 ? { peer_groups } : {}),
    ...(access_control_groups.length > 0 ? { access_control_groups } : {}),
  };
}
