// A rollout while a run carries it out. Each change of the ledger is pushed together with the
// lease, so a run that has lost the lease can change nothing.
import { rolloutRef, shardRef } from '../../base/refName.ts';
import { isInShard } from '../../fleet/rollout/order.ts';
import type { Transition } from '../../fleet/rollout/transitions.ts';
import type { Ledger, RolloutAccount, Shard } from '../../model/rollout.ts';
import type { RefMove } from '../../read/remote/remoteRefs.ts';
import { thirdOf } from '../lock/gitLockSettings.ts';
import type { LockSettings } from '../lock/remoteLock.ts';
import { LedgerWriter, type WriteResult } from './ledgerWriter.ts';
import { readRollout } from './readRollout.ts';
import { type NotHeld, takeRolloutLease } from './rolloutLease.ts';
import { RunnersAlive } from './runnersAlive.ts';
import type { RolloutStore } from './signedLedger.ts';

/** What a run carries out, and the settings of its lease. */
export interface HoldSettings {
  readonly rollout: string;
  /** Absent if the run carries out all accounts. */
  readonly shard?: Shard;
  readonly lock: LockSettings;
}

/** A rollout that this run carries out. */
export interface HeldRollout {
  /** The id of this run. */
  readonly runner: string;
  /** The joined ledger, with everything that this run has read or written. */
  readonly ledger: () => Ledger;
  readonly isOwn: (name: string) => boolean;
  /** Whether no live run carries out an account: neither this run nor another. */
  readonly isDead: (account: RolloutAccount) => boolean;
  /**
   * Changes the ledger at the remote, and moves other refs with it. Changes that arrive during a
   * push are sent with the next push. If somebody else has moved the other refs of a change, only
   * this change fails.
   */
  readonly change: (transition: Transition, others?: readonly RefMove[]) => Promise<WriteResult>;
  /**
   * Reads what other runs have written and which runs are alive. Resolves to a refusal if the
   * remote does not answer.
   */
  readonly look: () => Promise<Ledger | NotHeld>;
  /** Whether a write that may take this number of milliseconds may begin now. */
  readonly mayWrite: (milliseconds: number) => Promise<boolean>;
  /** How often to renew the lease while nothing changes, in milliseconds. */
  readonly renewEvery: number;
  readonly renew: () => Promise<boolean>;
  /** Finishes the rollout with a transition, so that the next rollout may start, and releases the lease. */
  readonly finish: (transition: Transition) => Promise<WriteResult>;
  /** Releases the lease. The rollout stays open. */
  readonly release: () => Promise<void>;
}

/** Takes the lease of a rollout or of a shard, and reads its ledger. */
export async function holdRollout(
  store: RolloutStore,
  { rollout, shard, lock }: HoldSettings,
): Promise<HeldRollout | NotHeld> {
  const lease = await takeRolloutLease(store.remote, { rollout, shard }, lock);
  if ('refused' in lease) return lease;
  const known = new Map<string, Ledger>();
  const read = () => readRollout(store, rollout, known);
  const seen = await read();
  if ('refused' in seen || seen.ledger.finished) {
    await lease.release();
    return 'refused' in seen ? seen : { refused: 'rollout-finished', ledger: seen.ledger };
  }
  const runner = lock.holder.id;
  const alive = new RunnersAlive(lock.clocks);
  alive.see(seen.runners);
  const ref = shard ? shardRef(rollout, shard) : rolloutRef(rollout);
  const writer = new LedgerWriter({ store, lease, ref, isAlone: !shard, read }, seen);
  const isOwn = (name: string) => !shard || isInShard(name, shard);
  const third = thirdOf(lock.ttl);
  return {
    runner,
    ledger: () => writer.ledger,
    isOwn,
    isDead: account => {
      const isOurs = account.state === 'running' ? account.runner === runner : isOwn(account.name);
      return !isOurs && !alive.hasRunner(account);
    },
    change: (transition, others = []) => writer.change(transition, others),
    look: async () => {
      const now = await writer.look();
      if ('refused' in now) return now;
      alive.see(now.runners);
      return writer.ledger;
    },
    mayWrite: lease.mayWrite,
    renewEvery: third,
    renew: async () => (await lease.renew()).is === 'done',
    finish: transition => writer.finish(transition),
    release: () => writer.release(),
  };
}
