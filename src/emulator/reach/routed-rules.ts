// What a routing machine does with the rules of a policy: which it accepts and drops for a source.

import type { PeerRecord } from '../records/peers.ts';
import type { PolicyRecord, RuleRecord } from '../records/topology.ts';
import type { Account } from '../store/account.ts';
import { type Traffic, trafficOf } from './ports.ts';
import { checksOf, isOn, type Member, passesAll, sourceSide } from './sides.ts';

interface Routed {
  readonly grants: readonly { readonly policy: PolicyRecord; readonly traffic: Traffic }[];
  readonly drops: readonly Traffic[];
}

/**
 * The traffic of a source that the enabled rules of policies accept and drop at a routing machine, for any destination.
 * Routing machines accept ranges of ports in every version, and reject rules about SSH.
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

/** A routing machine is a source of its own rules only where they name it. */
function isSource(rule: RuleRecord, source: Member, router: PeerRecord): boolean {
  const side = sourceSide(rule);
  if (source.peer === router && side.peer === undefined) return false;
  return isOn(side, source);
}
