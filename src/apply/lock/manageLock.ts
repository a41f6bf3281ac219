// Lock commands for people: hold the lock of an account on purpose, release it, and break the lock
// of a dead run.

import type { LockRecord } from '../../model/lockRecord.ts';
import { runsNamed } from '../../model/runName.ts';
import type { Pushed } from '../../read/remote/remoteRefs.ts';
import { patienceWith } from '../lockRecord.ts';
import { elapsedSince, momentNow } from './lease.ts';
import {
  isFree,
  isOnHold,
  type LockRef,
  type LockSettings,
  type RemoteTrouble,
  type SeenLock,
} from './remoteLock.ts';

/** The result when a person changes the lock. */
export type Managed =
  | { readonly is: 'done'; readonly before: SeenLock | null }
  /** Somebody has the lock. */
  | { readonly is: 'taken'; readonly by: SeenLock }
  /** Nobody holds the lock, or it is held for another purpose. */
  | { readonly is: 'not-held'; readonly found: SeenLock | null }
  /** The run renews its lock. */
  | { readonly is: 'renewed'; readonly by: SeenLock }
  /** The remote does not answer, so it is unknown who has the lock. */
  | { readonly is: 'unread'; readonly trouble: RemoteTrouble }
  /** The remote or git refuses the change. */
  | { readonly is: 'refused'; readonly trouble: RemoteTrouble }
  /**
   * The change was sent, but the last check did not find it. `isUnasked`: the check itself failed.
   */
  | { readonly is: 'unsure'; readonly trouble: RemoteTrouble; readonly isUnasked: boolean };

/** Holds the lock for a person. No run gets the lock until the hold is released or has expired. */
export async function holdLock(
  lock: LockRef,
  record: Omit<LockRecord, 'is' | 'ttl' | 'counter'>,
  clocks: LockSettings['clocks'],
): Promise<Managed> {
  const found = await lock.read();
  if (isTrouble(found)) return { is: 'unread', trouble: found };
  if (found !== null && !isFree(found, clocks)) return { is: 'taken', by: found };
  if (found?.untouchable) return { is: 'refused', trouble: found.untouchable };
  const from = found?.commit ?? null;
  const hold = { ...record, is: 'hold', ttl: 0, counter: 1 } as const;
  const { commit: to, objects } = await lock.make(hold, from);
  const pushed = await lock.push([{ ref: lock.ref, from, to, objects }]);
  const trouble = pushed.is === 'done' && found === null ? await untouchableNow(lock) : undefined;
  if (trouble === undefined) return managed(pushed, lock, found);
  await lock.push([{ ref: lock.ref, from: to, to: null }]);
  return { is: 'refused', trouble };
}

// Why nobody may move the lock, if a push has revealed it. No listing shows a symbolic ref whose
// target is missing. The first push creates the target, so the symbolic ref becomes known only
// after the push.
async function untouchableNow(lock: LockRef): Promise<RemoteTrouble | undefined> {
  const now = await lock.read();
  return now === null || isTrouble(now) ? undefined : now.untouchable;
}

/** Ends a hold. Only a run itself releases the lock of the run. */
export async function releaseHold(lock: LockRef, clocks: LockSettings['clocks']): Promise<Managed> {
  const found = await lock.read();
  if (isTrouble(found)) return { is: 'unread', trouble: found };
  if (found === null || isFree(found, clocks)) return { is: 'not-held', found };
  if (!isOnHold(found, clocks)) return { is: 'taken', by: found };
  return removed(lock, found);
}

/**
 * Breaks the lock of a run, or a lock that meshform did not write and whose commit is named. The
 * lock of a run is broken only if the run no longer renews it. So the lock is watched for as long
 * as the run may rely on it. `onWatching` is called with that time in milliseconds.
 */
export async function breakLock(
  lock: LockRef,
  run: string,
  { clocks, sleep, signal }: Pick<LockSettings, 'clocks' | 'sleep' | 'signal'>,
  onWatching: (found: SeenLock, milliseconds: number) => void,
): Promise<Managed> {
  const found = await lock.read();
  if (isTrouble(found)) return { is: 'unread', trouble: found };
  const { record } = found ?? {};
  // Nobody renews a lock that meshform did not write, so it need not be watched. It is removed only
  // if the user names its commit.
  if (found && record === null && isNamed(found.commit, run.toLowerCase()))
    return removed(lock, found);
  if (!found || record?.is !== 'run' || !isNamed(record.id, run)) return { is: 'not-held', found };
  const since = momentNow(clocks);
  const patience = patienceWith(record);
  onWatching(found, patience);
  for (let left = patience; left > 0; left = patience - elapsedSince(since, clocks)) {
    await sleep(Math.min(LOOKS_EVERY, left), signal);
    if (signal?.aborted) return { is: 'refused', trouble: { why: 'it was interrupted' } };
    const now = await lock.read();
    // If the remote does not answer, the lock may have been renewed or may have expired.
    if (isTrouble(now)) return { is: 'unread', trouble: now };
    if (now?.commit !== found.commit)
      return now === null ? { is: 'not-held', found: null } : { is: 'renewed', by: now };
  }
  return removed(lock, found);
}

// The user may name a commit, like a run, by its whole id or by the beginning of the id.
const isNamed = (id: string, name: string): boolean => runsNamed([{ run: id }], name).length > 0;

/** How often a lock that may be broken is read, in milliseconds. */
const LOOKS_EVERY = 5000;

async function removed(lock: LockRef, found: SeenLock): Promise<Managed> {
  const { ref } = lock;
  if (found.untouchable) return { is: 'refused', trouble: found.untouchable };
  const pushed = await lock.push([{ ref, from: found.commit, to: null }]);
  if (pushed.is !== 'refused') return managed(pushed, lock, found);
  // Some remotes do not delete refs. On such a remote, the lock is marked as free.
  const { record, commit: from } = found;
  const before = record ?? { id: '', machine: '', since: '', ttl: 0, counter: 0 };
  const free = { ...before, is: 'free', counter: before.counter + 1 } as const;
  const { commit: to, objects } = await lock.make(free, from);
  return managed(await lock.push([{ ref, from, to, objects }]), lock, found);
}

async function managed(pushed: Pushed, lock: LockRef, before: SeenLock | null): Promise<Managed> {
  if (pushed.is === 'done') return { is: 'done', before };
  if (pushed.is !== 'moved') {
    const trouble = { why: pushed.why, hint: pushed.hint };
    if (pushed.is === 'refused') return { is: 'refused', trouble };
    const { isUnasked = false, isUnsent = false } = pushed;
    return { is: 'unsure', trouble, isUnasked: isUnasked && !isUnsent };
  }
  const now = await lock.read();
  if (isTrouble(now)) return { is: 'unread', trouble: now };
  return now === null ? { is: 'not-held', found: null } : { is: 'taken', by: now };
}

const isTrouble = (found: SeenLock | RemoteTrouble | null): found is RemoteTrouble =>
  found !== null && 'why' in found;
