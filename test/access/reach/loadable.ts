// A generated account as an emulator takes it: what the API refuses is left out, and every field that it requires is there.
import type { Account, Served } from '../slow/account.ts';

/**
 * The part of an account that the API would accept. Routes are left out, unless they are asked for: they change no list of accessible
 * peers.
 */
export function loadable(account: Account, hasRoutes = false) {
  const known = new Set(account.groups.map(({ id }) => id));
  const inKnown = <T>(list: readonly T[], id: (one: T) => string) =>
    list.filter(one => known.has(id(one)));
  const isServed = ({ peer, peer_groups = [] }: Served) =>
    peer !== undefined || peer_groups.length > 0;
  return {
    // From outside nobody sees whether a machine has an address at all, so each has one that is visible.
    peers: account.peers.map(peer => ({
      ...peer,
      connection_ip: peer.connection_ip || '198.51.100.9',
    })),
    groups: account.groups,
    posture_checks: account.posture_checks
      .filter(({ checks }) => checks.peer_network_range_check?.ranges.length !== 0)
      .map(check => ({ ...check, description: '' })),
    policies: account.policies.map(policy => ({
      ...policy,
      description: '',
      rules: policy.rules.map(rule => ({ ...rule, description: '' })),
    })),
    networks: account.networks.map(({ resources, routers, ...network }) => ({
      ...network,
      resources: resources.map(one => ({
        ...one,
        description: '',
        groups: inKnown(one.groups, ({ id }) => id),
      })),
      routers: routers.filter(isServed).map(({ id, ...one }) => ({
        ...one,
        id: plain(id),
        metric: 9999,
        masquerade: true,
      })),
    })),
    routes: hasRoutes
      ? account.routes.map(({ id, ...route }) => ({
          ...route,
          id: plain(id),
          description: '',
          metric: 9999,
          masquerade: true,
          keep_route: true,
        }))
      : [],
  };
}

// The emulator takes no id with a space or a slash.
const plain = (id: string): string => id.replaceAll(/[^a-z0-9]/gi, '-');
