// The rollout that applied an account last. In the audit log of a tenant, nobody is named for what a token of its provider does.
import type { LastApplied, Ledger } from '../../model/rollout.ts';

/** The last rollout of each account, by the id of the account. Accounts that no rollout applied are left out. */
export function lastApplied(ledgers: readonly Ledger[]): ReadonlyMap<string, LastApplied> {
  const last = new Map<string, LastApplied>();
  for (const { rollout, started_at: startedAt, accounts } of ledgers)
    for (const { account, applied_at: appliedAt } of accounts) {
      if (account === undefined || appliedAt === undefined) continue;
      const before = last.get(account);
      const isLater = before === undefined || Date.parse(appliedAt) > Date.parse(before.appliedAt);
      if (isLater) last.set(account, { rollout, startedAt, appliedAt });
    }
  return last;
}
