// Values that describe why a rollout does not begin or continue.
import type { LockRecord } from '../../model/lockRecord.ts';
import type { Ledger, Shard } from '../../model/rollout.ts';

/** A precondition of a rollout that does not hold; `refused` names it. */
export type RolloutRefusal =
  /** The fleet file has an open rollout. If the rollout is in a queue, workers apply it. */
  | { readonly refused: 'rollout-open'; readonly ledger: Ledger; readonly isQueued?: true }
  /**
   * The open rollout of another fleet file has some of the accounts. `accounts`: the names of these
   * accounts in that file.
   */
  | {
      readonly refused: 'accounts-in-rollout';
      readonly ledger: Ledger;
      readonly accounts: readonly string[];
      readonly isQueued?: true;
    }
  | { readonly refused: 'no-rollout'; readonly rollout: string }
  /** The remote names an open rollout whose ledger somebody deleted. */
  | { readonly refused: 'ledger-gone'; readonly rollout: string; readonly ref: string }
  | { readonly refused: 'rollout-finished'; readonly ledger: Ledger }
  /**
   * Another run carries out the rollout, or a shard that excludes this run. `by` is null if
   * meshform did not write the lease.
   */
  | {
      readonly refused: 'rollout-busy';
      readonly rollout: string;
      readonly shard?: Shard;
      readonly by: LockRecord | null;
    }
  /** No key of this run signed the ledger, or it is the signed ledger of another rollout. */
  | {
      readonly refused: 'ledger-unverified';
      readonly ref: string;
      readonly because: 'not-signed' | 'elsewhere';
    }
  | { readonly refused: 'ledger-unreadable'; readonly ref: string; readonly why: string }
  | RemoteRefusal;

/** The remote refuses to move refs of rollouts, or cannot be reached. */
export interface RemoteRefusal {
  readonly refused: 'remote-refuses' | 'remote-unreachable';
  readonly remote: string;
  readonly why: string;
  readonly hint?: string;
}
