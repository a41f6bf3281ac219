// Whether entries of ledgers describe the same account, which may be in several fleet files under different names. A server may
// report any id, even that of an account of another server, so an id counts only together with the address of its server.
import type { Ledger, RolloutAccount } from '../../model/rollout.ts';

/** What identifies an account. */
export type AccountIdentity = Pick<RolloutAccount, 'name' | 'account' | 'server'>;

/** Returns those of these accounts that are the same account as another one. */
export type SameAccounts<A extends AccountIdentity> = (other: AccountIdentity) => readonly A[];

/** Finds the same accounts among these. An account without a known id is the same as no other account. */
export function sameAccounts<A extends AccountIdentity>(accounts: readonly A[]): SameAccounts<A> {
  const byId = Map.groupBy(accounts, ({ account }) => account);
  return other =>
    other.account === undefined
      ? []
      : (byId.get(other.account) ?? []).filter(one => isSame(one, other));
}

// The name is from the fleet file. A ledger of an earlier version has no servers.
const isSame = (one: AccountIdentity, other: AccountIdentity): boolean =>
  one.server === undefined || other.server === undefined
    ? one.name === other.name
    : one.server === other.server;

/** The names of those accounts in a ledger that are the same as one of these accounts. */
export function namesAmong(
  { accounts }: Pick<Ledger, 'accounts'>,
  isAmong: SameAccounts<AccountIdentity>,
): readonly string[] {
  return accounts.flatMap(one => (isAmong(one).length > 0 ? [one.name] : []));
}
