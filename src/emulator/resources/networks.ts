// Networks (docs/server-behaviour.md#networks). Their fields are not checked, and all their lists are computed.
import { present } from '../../model/errors.ts';
import { deleteNetwork } from '../deletion/cascades.ts';
import type { Environment } from '../environment.ts';
import { objectId } from '../ids/new-object.ts';
import type { NetworkRecord } from '../records/topology.ts';
import { done, ok } from '../request/answer.ts';
import { object, text } from '../request/body.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { notFound } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';
import { ALONE, CREATED, LISTED, networkViews } from './network-view.ts';

const BODY = object({ name: text, description: text });

export const networks: Handlers = {
  listNetworks: (account, _request, environment) =>
    ok(networkViews(account, account.networks.all(), LISTED, environment)),

  createNetwork: (account, request, environment) => {
    const network = { id: objectId(account.networks, environment), ...request.body(BODY) };
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

/** The network in the path of a request. */
export function findNetwork(account: Account, request: ApiRequest): NetworkRecord {
  const id = request.path('networkId');
  const network = account.networks.get(id);
  if (network === undefined) throw notFound('network', id);
  return network;
}

function view(
  account: Account,
  network: NetworkRecord,
  nulls: typeof ALONE,
  environment: Environment,
) {
  const [shown] = networkViews(account, [network], nulls, environment);
  return present(shown, 'the view of a network');
}
