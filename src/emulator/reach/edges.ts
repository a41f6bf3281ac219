// The rules that concern a peer, each from the perspective of that peer.

import type { PolicyRecord, RuleRecord } from '../records/topology.ts';
import type { Account } from '../store/account.ts';
import {
  checksOf,
  destinationSide,
  type End,
  isOn,
  type Member,
  passesAll,
  type Side,
  sourceSide,
} from './sides.ts';

/** One rule from the perspective of a peer that is on one of its sides. `side` and `checks` belong to the opposite side. */
export interface Edge extends End {
  readonly policy: PolicyRecord;
  readonly rule: RuleRecord;
  /** Whether the peer is a source; otherwise it is a destination. */
  readonly isSource: boolean;
  /** Whether the rule names the peer itself, and not one of its groups. */
  readonly isSingle: boolean;
}

/**
 * The edges of a peer: a rule with the peer on both sides has two. Posture checks filter sources that come from groups. A peer
 * that awaits approval passes all checks.
 */
export function edgesOf(account: Account, member: Member): readonly Edge[] {
  return account.policies
    .all()
    .filter(({ enabled }) => enabled)
    .flatMap(policy => edgesIn(account, policy, member));
}

function edgesIn(account: Account, policy: PolicyRecord, member: Member): readonly Edge[] {
  const { peer } = member;
  const isFit = () => peer.approval_required || passesAll(account, peer, checksOf(policy));
  return policy.rules
    .filter(({ enabled }) => enabled)
    .flatMap(rule => {
      const sources = sourceSide(rule);
      const destinations = destinationSide(rule);
      const edge = (isSource: boolean, own: Side, end: End): Edge[] =>
        isOn(own, member)
          ? [{ ...end, policy, rule, isSource, isSingle: own.peer !== undefined }]
          : [];
      const outgoing = edge(true, sources, { side: destinations, checks: [] });
      const checks = sources.peer === undefined ? checksOf(policy) : [];
      return [
        ...(outgoing.length > 0 && (sources.peer !== undefined || isFit()) ? outgoing : []),
        ...edge(false, destinations, { side: sources, checks }),
      ];
    });
}
