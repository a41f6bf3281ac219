// Merges the copies of a ledger. Each shard of a rollout writes a separate copy, and a reader takes the newest version of each
// entry.
import type { Ledger, RolloutAccount } from '../../model/rollout.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { stableText } from '../../model/text/stableText.ts';
import type { Json } from '../../model/value.ts';

/**
 * Merges two copies entry by entry; the newer entry counts. Copies can be merged in any order, and more than once. Null if they
 * are copies of different rollouts.
 */
export function mergedLedger(one: Ledger, other: Ledger): Ledger | null {
  if (settingsText(one) !== settingsText(other)) return null;
  const others = new Map(other.accounts.map(account => [account.name, account]));
  const accounts = one.accounts.map(account => newest(account, others.get(account.name)));
  const finished = largest(one.finished, other.finished);
  return { ...one, accounts, halt: lastHalt(one.halt, other.halt), ...(finished && { finished }) };
}

/** The settings that no run changes: copies with different settings belong to different rollouts. */
function settingsText(ledger: Ledger): string {
  const { rollout, fleet, plans, flags, started_at, waves, stop } = ledger;
  const accounts = ledger.accounts.map(({ name, content_digest, wave }) => ({
    name,
    content_digest,
    wave,
  }));
  return textOf({ rollout, fleet, plans, flags, started_at, waves, stop, accounts });
}

function newest(one: RolloutAccount, other: RolloutAccount = one): RolloutAccount {
  if (one.turn !== other.turn) return one.turn > other.turn ? one : other;
  return largest(one, other) ?? one;
}

// If one copy has a stop and the other a permission to continue, and neither knew of the other, the stop counts.
function lastHalt(one: Ledger['halt'], other: Ledger['halt']): Ledger['halt'] {
  if (one.turn !== other.turn) return one.turn > other.turn ? one : other;
  if ((one.why === undefined) !== (other.why === undefined))
    return one.why === undefined ? other : one;
  return largest(one, other) ?? one;
}

// It does not matter which of the two is chosen, as long as every reader chooses the same.
function largest<T>(one: T | undefined, other: T | undefined): T | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return compareTexts(textOf(one), textOf(other)) >= 0 ? one : other;
}

const textOf = (value: unknown): string => stableText(value as Json);
