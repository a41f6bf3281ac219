// Which peers the network map of a peer contains: every peer that a rule connects with it, whatever the rule does to their
// traffic. The agents enforce traffic themselves.

import type { PeerRecord } from '../records/peers.ts';
import type { Account } from '../store/account.ts';
import { edgesOf } from './edges.ts';
import { knownByRouting } from './routing.ts';
import { bundled, memberOf } from './sides.ts';

/**
 * The peers in a peer's network map: those on the opposite side of its rules, including expired logins, and those that network
 * resources connect it with. A peer that awaits approval has none.
 */
export function knownPeers(account: Account, peer: PeerRecord): ReadonlySet<PeerRecord> {
  if (peer.approval_required) return new Set();
  const member = memberOf(account, peer);
  const opposite = bundled(account, edgesOf(account, member)).flatMap(({ peers }) => peers);
  return new Set([...opposite, ...knownByRouting(account, member)].filter(one => one !== peer));
}
