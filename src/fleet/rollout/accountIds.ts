// The accounts of ledgers by their ids: the same account may be in several fleet files, and may have another name in each.
import type { Ledger } from '../../model/rollout.ts';

/** The ids of the accounts of a ledger, as far as they are known. */
export const idsOf = ({ accounts }: Pick<Ledger, 'accounts'>): ReadonlySet<string> =>
  new Set(accounts.flatMap(({ account }) => account ?? []));

/** The names in a ledger of the accounts with these ids. */
export const namesAmong = (
  { accounts }: Pick<Ledger, 'accounts'>,
  ids: ReadonlySet<string>,
): readonly string[] =>
  accounts.flatMap(({ name, account }) =>
    account !== undefined && ids.has(account) ? [name] : [],
  );
