// The rules of policies that a routing machine applies to the traffic of a source.

import type { PeerRecord } from '../records/peers.ts';
import type { PolicyRecord, RuleRecord } from '../records/topology.ts';
import type { Account } from '../store/account.ts';
import { type Traffic, trafficOf } from './port-ranges.ts';
import { checksOf, isOn, type Member, passesAll, sourceSide } from './sides.ts';

interface Routed {
  readonly grants: readonly { readonly policy: PolicyRecord; readonly traffic: Traffic }[];
  readonly drops: readonly Traffic[];
}

/**
 * The traffic that a routing machine accepts and drops from a source, to any destination, because of enabled rules. Routing
 * machines accept ranges of ports in every version, and ignore rules about SSH.
 */
export function routedTraffic(
  account: Account,
  policies: Iterable<PolicyRecord>,
  source: Member,
  router: PeerRecord,
): Routed {
  const rules = [...policies].flatMap(policy =>
    passesAll(account, source.peer, checksOf(policy))
      ? policy.rules
          .filter(rule => rule.enabled && rule.protocol !== 'netbird-ssh')
          .filter(rule => isSource(rule, source, router))
          .map(rule => ({ policy, rule, traffic: trafficOf(rule, true) }))
      : [],
  );
  return {
    grants: rules.filter(({ rule }) => rule.action === 'accept'),
    drops: rules.filter(({ rule }) => rule.action === 'drop').map(({ traffic }) => traffic),
  };
}

/** Whether a peer is a source of a rule. The routing machine itself is a source only if the rule names it directly. */
function isSource(rule: RuleRecord, source: Member, router: PeerRecord): boolean {
  const side = sourceSide(rule);
  if (source.peer === router && side.peer === undefined) return false;
  return isOn(side, source);
}
