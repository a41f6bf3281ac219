// How a lock at a remote is released, within the time limit for the end of a run.
import { journalRef, lockRef } from '../../base/refName.ts';
import { nameText } from '../../model/text/visible.ts';
import { gitFault } from '../../read/git/runGit.ts';
import { isFault, listedRefs, type Pushed, type Remote } from '../../read/remote/remoteRefs.ts';
import type { LockHolder } from './accountLock.ts';
import type { ReachedServer } from './accountServer.ts';
import type { GitLockSettings } from './gitLockSettings.ts';
import type { RefInTheWay } from './inTheWay.ts';
import type { BesideLock, SeenBefore } from './journalBeside.ts';
import { pushWithJournals } from './pushJournals.ts';
import type { HeldRemoteLock } from './remoteLock.ts';

/** What the end of a run with a lock needs. */
export interface Ending extends Pick<GitLockSettings, 'ttl' | 'onLeft'> {
  readonly by: LockHolder;
  /** Begins the time in which the run has to end. */
  readonly ends: () => void;
}

/** A lock that was just taken, perhaps with a journal. */
export interface TakenLock {
  readonly remote: Remote;
  readonly lock: HeldRemoteLock;
  readonly seen: SeenBefore | undefined;
  readonly begun: BesideLock | null;
  readonly ended: Ending;
  readonly reached: ReachedServer | undefined;
}

/** Releases a lock under which nothing was sent, and removes the journal that the remote got with the lock. */
export async function withdraw({ remote, lock, begun, ended }: TakenLock): Promise<void> {
  const name = begun?.first?.name;
  const journals = name !== undefined && (await begun?.underLock(null));
  if (!journals || journals.nameOf(ended.by.id) !== name) return giveBack(lock, ended);
  const made = await begun?.made();
  if (made) {
    const removal = { ref: journals.ref, from: made, to: null };
    ended.ends();
    if ((await withoutFault(lock.release([removal]))).is === 'done') return;
  }
  journals.put(name, null);
  ended.ends();
  const push = pushWithJournals(remote, journals, moves => lock.release(moves));
  if ((await withoutFault(push)).is !== 'done') await giveBack(lock, ended);
}

/**
 * The end of the hint about a symbolic ref: it names the ref that this run created as the target of the symbolic ref, if the
 * remote has not deleted that ref again. No listing shows a symbolic ref before its target exists.
 */
export async function leftOf(
  { ref, target }: RefInTheWay,
  { remote, lock, begun }: TakenLock,
  account: string,
): Promise<string> {
  if (target === undefined) return '';
  const isOfLock = ref === lockRef(account) && lock.takenFrom === null;
  const isMade = isOfLock || (ref === journalRef(account) && (await begun?.made()));
  if (!isMade) return '';
  const found = await listedRefs(remote, [ref]);
  if (!isFault(found) && found.length === 0) return '';
  return madeThere(target);
}

/**
 * Releases a lock without other changes, within the time limit for the end of a run. Calls `onLeft` if the remote may still have
 * the lock.
 */
export async function giveBack(
  lock: HeldRemoteLock,
  { by, ttl, ends, onLeft }: Ending,
): Promise<void> {
  ends();
  const pushed = await withoutFault(lock.release());
  // If somebody else moved the ref, they have the lock now.
  if (pushed.is === 'done' || pushed.is === 'moved') return;
  onLeft?.({ why: pushed.why, run: by.id, ttl });
}

/**
 * The result of a push. If git cannot write its objects, for example because the disk is full, the push counts as not sent
 * instead of throwing, so that a run that has written to the account can still end with its report.
 */
export const withoutFault = (push: Promise<Pushed>): Promise<Pushed> =>
  push.catch((error: unknown) => ({ is: 'unknown', ...whyOf(gitFault(error)), isUnsent: true }));

/** The end of a hint about a ref that this run created at the remote. */
export const madeThere = (target: string): string =>
  `; this run created ${nameText(target)}, and the remote may still have it: remove it there too`;

/** The reason of a fault, without its kind. */
export const whyOf = ({
  why,
  hint,
}: {
  readonly why: string;
  readonly hint?: string | undefined;
}) => ({
  why,
  ...(hint !== undefined && { hint }),
});
