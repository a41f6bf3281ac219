// Everyone who can be a source or a destination: the machines of an account, and those who are still to come.
import type { Account, Peer } from './account.ts';

export interface Someone {
  readonly name: string;
  /** None for somebody who is still to come. */
  readonly peer: Peer | null;
  readonly groups: ReadonlySet<string>;
  readonly isApproved: boolean;
  /** Whether it is connected as far as its login goes: nobody who is logged out reaches anything or is reached. */
  readonly isLoggedIn: boolean;
}

/** Whoever is neither a machine nor a user of the account. */
export const INTERNET = 'internet';

/** Who an account has, by name. Newcomers are taken from all of `compared`: what one lacks brings its newcomer to All only. */
export function everyoneIn(account: Account, compared: readonly Account[]): Someone[] {
  const all = account.groups.filter(group => group.name === 'All').map(group => group.id);
  const groupIds = new Set(account.groups.map(group => group.id));
  const machines = account.peers.map((peer): Someone => {
    const inside = account.groups.filter(group =>
      (group.peers ?? []).some(one => one.id === peer.id),
    );
    return {
      name: `machine ${peer.id}`,
      peer,
      groups: new Set(inside.map(group => group.id)),
      isApproved: !peer.approval_required,
      isLoggedIn: !peer.login_expired && !isBlocked(account, peer),
    };
  });
  const newcomer = (name: string, groups: readonly string[]): Someone => ({
    name,
    peer: null,
    groups: new Set([...groups, ...all].filter(id => groupIds.has(id))),
    isApproved: true,
    isLoggedIn: true,
  });
  const ids = (list: (one: Account) => readonly { id: string }[] | undefined) => [
    ...new Set(compared.flatMap(one => (list(one) ?? []).map(({ id }) => id))),
  ];
  const enrolled = (list: Account['users'], id: string) =>
    (list ?? []).find(one => one.id === id)?.auto_groups ?? [];
  return [
    ...machines,
    ...ids(one => one.groups).map(id => newcomer(`group ${id}`, [id])),
    ...ids(one => one.setup_keys).map(id =>
      newcomer(`setup_key ${id}`, enrolled(account.setup_keys, id)),
    ),
    ...ids(one => one.users?.filter(user => user.is_blocked !== true)).map(id =>
      newcomer(`user ${id}`, enrolled(account.users, id)),
    ),
    ...(compared.some(({ services = [] }) => services.length > 0)
      ? [
          {
            name: INTERNET,
            peer: null,
            groups: new Set<string>(),
            isApproved: true,
            isLoggedIn: true,
          },
        ]
      : []),
  ];
}

// Blocking a user ends the logins on the machines of the user, and the user cannot log in.
const isBlocked = ({ users = [] }: Account, { user_id: owner }: Peer): boolean =>
  users.some(({ id, is_blocked }) => id === owner && is_blocked === true);

/** The account once everybody who is not blocked has logged in again: that takes no plan. */
export const withRenewedLogins = (account: Account): Account => ({
  ...account,
  peers: account.peers.map(peer => ({ ...peer, login_expired: isBlocked(account, peer) })),
});
