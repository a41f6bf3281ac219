// The order of accounts: by the hash of their names. An account that joins or leaves does not change the order of the others, so
// the first wave stays the same.
import { createHash } from 'node:crypto';
import type { Shard } from '../../model/rollout.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';

/** The accounts in their order. */
export function inRolloutOrder<A extends { readonly name: string }>(accounts: readonly A[]): A[] {
  const hashed = accounts.map(account => ({ account, hash: hashOf(account.name) }));
  return hashed
    .sort((a, b) => compareTexts(a.hash, b.hash) || compareTexts(a.account.name, b.account.name))
    .map(({ account }) => account);
}

/** Whether an account belongs to a shard. Each account belongs to exactly one. */
export function isInShard(name: string, { index, of }: Shard): boolean {
  // Waves take the accounts with the smallest hashes first, so shards use the end of the hash instead of its beginning.
  return Number.parseInt(hashOf(name).slice(-8), 16) % of === index - 1;
}

const hashOf = (name: string): string => createHash('sha256').update(name).digest('hex');
