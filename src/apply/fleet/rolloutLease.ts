// The leases of a rollout: one lease for the whole rollout, or one for each shard. A run checks the
// other leases after it has taken its own, so at least one of two conflicting runs sees the other.
import { leaseRef, leaseRefsOf, shardOfLease } from '../../base/refName.ts';
import type { Shard } from '../../model/rollout.ts';
import {
  type HeldRemoteLock,
  type LockSettings,
  type NotTaken,
  takeRemoteLock,
} from '../lock/remoteLock.ts';
import { refusing, unreachable } from './readRollout.ts';
import type { RolloutRefusal } from './rolloutRefusal.ts';
import { isTrouble, type RolloutRemote } from './rolloutRemote.ts';

/** What a lease is for: a rollout, or a shard of it. */
export interface RolloutPart {
  readonly rollout: string;
  readonly shard?: Shard | undefined;
}

/** Why a lease is not held: a refusal, or the run was interrupted while it waited. */
export type NotHeld =
  | RolloutRefusal
  | { readonly refused: 'rollout-not-waited'; readonly rollout: string };

/**
 * Takes the lease of a part. Leases of dead runs on conflicting parts are taken over and ended, so
 * that these runs can no longer write.
 */
export async function takeRolloutLease(
  remote: RolloutRemote,
  part: RolloutPart,
  settings: LockSettings,
): Promise<HeldRemoteLock | NotHeld> {
  const { rollout, shard } = part;
  const lease = await takeRemoteLock(remote.lease(leaseRef(rollout, shard)), settings);
  if (lease.is !== 'held') return notHeld(lease, part, remote);
  const found = await remote.read([`${leaseRefsOf(rollout)}*`]);
  const refusal = isTrouble(found)
    ? unreachable(remote.name, found)
    : await excluded(remote, { ...part, found: [...found.keys()] }, keepingUp(lease, settings));
  if (refusal === null) return lease;
  await lease.release();
  return refusal;
}

// Renews the run's own lease while the run waits for the leases of dead runs, because the wait
// takes as long as a lease lasts.
function keepingUp(lease: HeldRemoteLock, settings: LockSettings): LockSettings {
  const half = (settings.ttl * 1000) / 2;
  return {
    ...settings,
    sleep: async (milliseconds, signal) => {
      await settings.sleep(milliseconds, signal);
      await lease.mayWrite(half);
    },
  };
}

async function excluded(
  remote: RolloutRemote,
  { rollout, shard, found }: RolloutPart & { readonly found: readonly string[] },
  settings: LockSettings,
): Promise<NotHeld | null> {
  const own = leaseRef(rollout, shard);
  const isBeside = (other: Shard | undefined) => shard !== undefined && other?.of === shard.of;
  const taken = await Promise.all(
    found
      .filter(ref => ref !== own && !isBeside(shardOfLease(ref)))
      .map(async ref => {
        const other = await takeRemoteLock(remote.lease(ref), settings);
        if (other.is !== 'held') return notHeld(other, partOf(rollout, ref), remote);
        await other.release();
        return null;
      }),
  );
  return taken.find(refusal => refusal !== null) ?? null;
}

const partOf = (rollout: string, ref: string): RolloutPart => ({
  rollout,
  shard: shardOfLease(ref),
});

function notHeld(
  lock: NotTaken,
  { rollout, shard }: RolloutPart,
  { name }: RolloutRemote,
): NotHeld {
  switch (lock.is) {
    case 'taken':
    case 'on-hold':
      return { refused: 'rollout-busy', rollout, ...(shard && { shard }), by: lock.by.record };
    case 'refused':
      return refusing(name, lock);
    case 'unreachable':
      return unreachable(name, lock);
    case 'interrupted':
      return { refused: 'rollout-not-waited', rollout };
  }
}
