// Logins on peers. They expire, and they end at once if the user is blocked (docs/server-behaviour.md#users).

import { peerMeta } from '../audit/object-meta.ts';
import type { Environment } from '../environment.ts';
import type { PeerRecord } from '../records/peers.ts';
import type { UserRecord } from '../records/people.ts';
import type { Account } from '../store/account.ts';
import { timestamp } from '../time/times.ts';

/** Ends the logins of a user on all of their peers. The user is the initiator of the event. */
export function expireLogins(account: Account, user: UserRecord, environment: Environment): void {
  for (const peer of account.peers.all().filter(({ user_id }) => user_id === user.id)) {
    if (peer.login_expired) continue;
    account.peers.put({ ...peer, login_expired: true });
    account.log({
      code: 'peer.login.expire',
      target: peer.id,
      meta: { ...peerMeta(account, peer, environment), reason: 'blocked owner account' },
      initiator: user.id,
    });
  }
}

/** The peer after its user has just signed in again. */
export function signedIn(peer: PeerRecord, { clock }: Environment): PeerRecord {
  return { ...peer, login_expired: false, last_login: timestamp(clock) };
}
