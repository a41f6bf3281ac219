// Which peers a peer can connect to, as policies let it. Rules have no order (docs/server-behaviour.md#policies-and-rules):
// what any of them accepts is accepted.
import type { Account } from '../account.ts';
import type { Environment } from '../environment.ts';
import { peersOf } from '../membership.ts';
import { isLoginExpired } from '../peers/view.ts';
import type { PeerRecord } from '../records/peers.ts';
import type { PolicyRecord, Reference } from '../records/topology.ts';
import { passes } from './posture.ts';

/** The peers that a peer can connect to, in the order of the account. */
export function accessiblePeers(
  account: Account,
  peer: PeerRecord,
  environment: Environment,
): readonly PeerRecord[] {
  const isLetIn = (one: PeerRecord) =>
    !one.approval_required && !isLoginExpired(account, one, environment);
  if (!isLetIn(peer)) return [];
  const reached = new Set(
    account.policies
      .all()
      .filter(({ enabled }) => enabled)
      .flatMap(policy => reachedBy(account, policy, peer)),
  );
  return account.peers.all().filter(one => reached.has(one) && one !== peer && isLetIn(one));
}

/** The first policy that lets a peer connect to another. */
export function lettingPolicy(
  account: Account,
  source: PeerRecord,
  destination: PeerRecord,
): PolicyRecord | undefined {
  const lets = (policy: PolicyRecord) => reachedBy(account, policy, source).includes(destination);
  return account.policies.all().find(policy => policy.enabled && lets(policy));
}

function reachedBy(account: Account, policy: PolicyRecord, peer: PeerRecord): PeerRecord[] {
  const checks = (policy.source_posture_checks ?? []).flatMap(
    id => account.postureChecks.get(id) ?? [],
  );
  const isFit = ({ machine }: PeerRecord) => checks.every(one => passes(machine, one.checks));
  const rules = policy.rules.filter(({ enabled, action }) => enabled && action === 'accept');
  return rules.flatMap(rule => {
    const sources = side(account, rule.sources, rule.sourceResource).filter(isFit);
    const destinations = side(account, rule.destinations, rule.destinationResource);
    return [
      ...(sources.includes(peer) ? destinations : []),
      ...(rule.bidirectional && destinations.includes(peer) ? sources : []),
    ];
  });
}

/** The peers on one side of a rule. Resources of other types are no peers. */
function side(
  account: Account,
  groups: readonly string[],
  resource: Reference | null,
): readonly PeerRecord[] {
  const named = resource?.type === 'peer' ? (account.peers.get(resource.id) ?? []) : [];
  const members = groups.flatMap(id => account.groups.get(id) ?? []);
  return [named, ...members.map(group => peersOf(account, group))].flat();
}
