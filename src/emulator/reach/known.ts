// The peers in the network map of a peer: every peer that a rule connects with it, whatever the action of the rule. The agents
// enforce the actions themselves.

import type { PeerRecord } from '../records/peers.ts';
import type { Account } from '../store/account.ts';
import { edgesOf } from './edges.ts';
import { knownByRouting } from './routing.ts';
import { bundled, memberOf } from './sides.ts';

/**
 * The peers in the network map of a peer: those on the opposite sides of its rules, even if their logins have expired, and those
 * connected with it through network resources. A peer that awaits approval has an empty map.
 */
export function knownPeers(account: Account, peer: PeerRecord): ReadonlySet<PeerRecord> {
  if (peer.approval_required) return new Set();
  const member = memberOf(account, peer);
  const opposite = bundled(account, edgesOf(account, member)).flatMap(({ peers }) => peers);
  return new Set([...opposite, ...knownByRouting(account, member)].filter(one => one !== peer));
}
