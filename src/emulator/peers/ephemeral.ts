// Deletes ephemeral peers some time after they disconnect, together with the objects that name them
// (docs/server-behaviour.md#peers).

import { deletePeer } from '../deletion/cascades.ts';
import type { Environment } from '../environment.ts';
import type { Account } from '../store/account.ts';
import { SECOND } from '../time/times.ts';

/** The time for which the server waits for an ephemeral peer to reconnect, in milliseconds. */
const RETURN = 10 * 60 * SECOND;

/** Deletes the ephemeral peers that are due, and returns the time when the next peer is due. */
export function removeEphemeral(account: Account, environment: Environment): Date | undefined {
  const { behaviour, clock } = environment;
  const wait = behaviour.ephemeralPeers === 'deleted when they disconnect' ? 0 : RETURN;
  const now = clock().getTime();
  let next: number | undefined;
  for (const peer of account.peers.all()) {
    if (!peer.ephemeral || peer.connected) continue;
    const due = Date.parse(peer.last_seen) + wait;
    if (due > now) next = Math.min(due, next ?? due);
    // The server itself is the initiator.
    else deletePeer(account, peer, environment, 'sys');
  }
  return next === undefined ? undefined : new Date(next);
}
