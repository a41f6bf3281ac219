// Clusters of proxies, which connect by themselves (docs/server-behaviour.md#reverse-proxy).

import type { ProxyClusterRecord } from '../records/proxy.ts';
import { done, ok } from '../request/answer.ts';
import type { Handlers } from '../request/handler.ts';
import { Refusal } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';

export const proxyClusters: Handlers = {
  listProxyClusters: account => ok(clustersOf(account).toSorted(byAddress).map(view)),

  deleteProxyCluster: (account, request) => {
    const address = request.path('address');
    const own = clustersOf(account).find(one => one.address === address && one.account !== '');
    if (own === undefined) throw new Refusal(404, 'cluster not found');
    account.installation.proxyClusters.remove(own.id);
    return done();
  },
};

/** The clusters that an account can use: its own clusters, then those of the operator. */
function clustersOf({ id, installation }: Account): readonly ProxyClusterRecord[] {
  const all = installation.proxyClusters.all();
  return [
    ...all.filter(({ account }) => account === id),
    ...all.filter(({ account }) => account === ''),
  ];
}

/** The connected clusters that an account can use. */
export function activeClusters(account: Account): readonly ProxyClusterRecord[] {
  return clustersOf(account).filter(({ online }) => online);
}

/** The cluster at an address. */
export function clusterAt(account: Account, address: string): ProxyClusterRecord | undefined {
  return activeClusters(account).find(one => one.address === address);
}

function byAddress(one: ProxyClusterRecord, other: ProxyClusterRecord): number {
  return one.address < other.address ? -1 : 1;
}

function view({ account, abilities, ...cluster }: ProxyClusterRecord) {
  return { ...cluster, type: account === '' ? 'shared' : 'account', ...abilities };
}
