// The peers that the API calls accessible from a peer (docs/server-behaviour.md#peers).

import type { Environment } from '../environment.ts';
import type { PeerRecord } from '../records/peers.ts';
import type { Account } from '../store/account.ts';
import { knownPeers } from './known.ts';
import { reachedPeers } from './reached.ts';

/** The accessible peers of a peer, in the order of the account. */
export function accessiblePeers(
  account: Account,
  peer: PeerRecord,
  environment: Environment,
): readonly PeerRecord[] {
  const isMap = environment.behaviour.accessiblePeers === 'the peers in its network map';
  const accessible = isMap ? knownPeers(account, peer) : reachedPeers(account, peer, environment);
  return account.peers.all().filter(one => accessible.has(one));
}
