// The rollout that applied an account last. The audit log of a tenant does not name a user for changes by a token of its
// provider, so the rollout is named instead.
import type { LastApplied, Ledger } from '../../model/rollout.ts';
import { type AccountIdentity, sameAccounts } from './sameAccounts.ts';

/** The last rollout of each of these accounts, by the name of the account. Accounts that no rollout applied are left out. */
export function lastApplied(
  ledgers: readonly Ledger[],
  accounts: readonly AccountIdentity[],
): ReadonlyMap<string, LastApplied> {
  const last = new Map<string, LastApplied>();
  const sameAs = sameAccounts(accounts);
  for (const { rollout, started_at: startedAt, accounts: entries } of ledgers)
    for (const entry of entries) {
      const { applied_at: appliedAt } = entry;
      if (appliedAt === undefined) continue;
      for (const { name } of sameAs(entry)) {
        const before = last.get(name);
        const isLater =
          before === undefined || Date.parse(appliedAt) > Date.parse(before.appliedAt);
        if (isLater) last.set(name, { rollout, startedAt, appliedAt });
      }
    }
  return last;
}
