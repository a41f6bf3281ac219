// References that prevent a deletion (docs/server-behaviour.md#references). Other references are left dangling.

import type { ProxyServiceRecord } from '../records/proxy.ts';
import type { GroupRecord, PolicyRecord, RuleRecord } from '../records/topology.ts';
import { type Account, settingsOf } from '../store/account.ts';

/** A kind of referrer: its type and, if known, its name. */
interface Referrer {
  readonly what: string;
  which(account: Account, id: string): string | undefined;
}

/** The kinds of referrers, in the order in which the server checks them. The first referrer is reported. */
const OF_A_GROUP: readonly Referrer[] = [
  { what: 'network resource', which: (account, id) => account.groups.get(id)?.resources[0]?.id },
  {
    what: 'settings',
    which: (account, id) =>
      settingsOf(account).network_traffic_logs_groups?.includes(id)
        ? 'traffic event logging'
        : undefined,
  },
  {
    what: 'route',
    which: (account, id) =>
      account.routes
        .all()
        .find(route =>
          [route.groups, route.peer_groups, route.access_control_groups].some(groups =>
            groups?.includes(id),
          ),
        )?.network_id,
  },
  {
    what: 'name server groups',
    which: (account, id) =>
      account.nameserverGroups.all().find(({ groups }) => groups.includes(id))?.name,
  },
  {
    what: 'policy',
    which: (account, id) =>
      account.policies.all().find(policy => policy.rules.some(rule => isBetween(rule, id)))?.name,
  },
  {
    what: 'setup key',
    // A revoked or expired key counts as well.
    which: (account, id) => account.setupKeys.all().find(key => key.auto_groups.includes(id))?.name,
  },
  {
    what: 'user',
    which: (account, id) => account.users.all().find(user => user.auto_groups.includes(id))?.id,
  },
  {
    what: 'network router',
    which: (account, id) =>
      account.routers.all().find(router => router.peer_groups?.includes(id))?.id,
  },
  {
    what: 'reverse proxy service',
    which: (account, id) => account.proxyServices.all().find(one => admits(one, id))?.domain,
  },
  {
    what: 'disabled DNS management groups',
    which: (account, id) => {
      const { disabled_management_groups } = settingsOf(account);
      return disabled_management_groups.includes(id) ? account.groups.get(id)?.name : undefined;
    },
  },
  {
    what: 'integrated validator',
    which: (account, id) => {
      const isUsed = account.edr.all().some(integration => integration.groups.includes(id));
      return isUsed ? account.groups.get(id)?.name : undefined;
    },
  },
];

/** The object that prevents the deletion of a group, such as `policy: Default`. */
export function groupReferrer(account: Account, group: GroupRecord): string | undefined {
  for (const { what, which } of OF_A_GROUP) {
    const found = which(account, group.id);
    if (found !== undefined) return `${what}: ${found}`;
  }
  return undefined;
}

/** The policy, disabled or not, that prevents the deletion of a posture check. */
export function postureCheckReferrer(account: Account, id: string): PolicyRecord | undefined {
  return account.policies.all().find(policy => policy.source_posture_checks?.includes(id));
}

/** Whether a service admits the members of a group because of the group. */
function admits({ private: isPrivate, access_groups, auth }: ProxyServiceRecord, group: string) {
  const { enabled = false, distribution_groups = null } = auth.bearer ?? {};
  return (
    (isPrivate && access_groups.includes(group)) ||
    (enabled && (distribution_groups?.includes(group) ?? false))
  );
}

/** The service that has a peer or a network resource as a target, and so prevents its deletion. */
export function targetReferrer(account: Account, id: string): string | undefined {
  return account.proxyServices
    .all()
    .find(({ targets }) =>
      targets.some(({ target_id, target_type }) => target_id === id && target_type !== 'cluster'),
    )?.id;
}

/** The object that prevents the deletion of a peer, such as `a network router: ...`. */
export function peerReferrer(account: Account, id: string): string | undefined {
  const router = account.routers.all().find(one => one.peer === id);
  if (router !== undefined) return `a network router: ${router.id}`;
  const allocation = account.portAllocations.all().find(one => one.peer === id);
  if (allocation !== undefined) return `ingress ports: ${allocation.id}`;
  const ingress = account.ingressPeers.all().find(one => one.peer_id === id);
  return ingress && `an ingress peer: ${ingress.id}`;
}

/** The allocation that prevents the deletion of an ingress peer. */
export function ingressPeerReferrer(account: Account, id: string): string | undefined {
  return account.portAllocations.all().find(one => one.ingress_peer_id === id)?.id;
}

/** Whether a rule names a peer or a network resource directly, not through a group. */
export function namesDirectly(rule: RuleRecord, id: string): boolean {
  return rule.sourceResource?.id === id || rule.destinationResource?.id === id;
}

function isBetween(rule: RuleRecord, group: string): boolean {
  return rule.sources.includes(group) || rule.destinations.includes(group);
}
