// The groups of a user, which their peers follow (docs/server-behaviour.md#users).

import { addPeer, leaveGroups } from '../groups/membership.ts';
import type { UserRecord } from '../records/people.ts';
import { type Account, settingsOf } from '../store/account.ts';
import { userMeta } from './userRecords.ts';

/** Adds the peers of every user to the groups of the user. No peer leaves a group. */
export function followGroups(account: Account): void {
  const users = new Map(account.users.all().map(user => [user.id, user]));
  for (const peer of account.peers.all())
    addPeer(account, peer.id, users.get(peer.user_id)?.auto_groups ?? []);
}

/**
 * Sets the groups of a user, and returns the user. If the account propagates groups, the peers of
 * the user get the same groups, and only the change of the user is logged. Otherwise nothing is
 * logged.
 */
export function setAutoGroups(
  account: Account,
  before: UserRecord,
  groups: readonly string[],
  { initiator }: { readonly initiator?: string } = {},
): UserRecord {
  const user = { ...before, auto_groups: groups };
  account.users.put(user);
  if (!settingsOf(account).group_propagation) return user;
  const gained = groups.filter(id => !before.auto_groups.includes(id));
  const lost = before.auto_groups.filter(id => !groups.includes(id));
  for (const peer of account.peers.all().filter(one => one.user_id === user.id)) {
    addPeer(account, peer.id, gained);
    leaveGroups(account, peer.id, lost);
  }
  const tell = (code: 'user.group.add' | 'user.group.delete', id: string) =>
    account.log({
      code,
      target: user.id,
      meta: { group: account.groups.get(id)?.name ?? '', group_id: id, ...userMeta(user) },
      ...(initiator === undefined ? {} : { initiator }),
    });
  for (const id of gained) tell('user.group.add', id);
  for (const id of lost) tell('user.group.delete', id);
  return user;
}
