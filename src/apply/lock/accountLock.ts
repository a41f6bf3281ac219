// One apply at a time for an account, on all machines. A program may bring a lock of its own, such as one of a database.

import type { BaseCommit } from '../../model/recordedBase.ts';
import type { SharedRefs } from '../../read/environment.ts';
import type { Pushed, RefCommits, RefMove } from '../../read/remote/remoteRefs.ts';
import type { RunBy } from '../../report/run/journalLines.ts';
import type { JournalCopy, SharedJournals, SharedNote } from '../journal/sharedJournals.ts';
import type { LockRefusal } from '../refusal.ts';

/** A lock that all machines share. */
export interface AccountLock {
  /**
   * Takes the lock, or says why it is not taken. A lock that keeps journals may store the one of `begins` in the same step; it says so
   * in its `store`.
   */
  readonly take: (begins?: Beginning) => Promise<HeldAccountLock | LockRefusal>;
}

/**
 * The first state of the journal of a run whose plan is known before it has the lock, for whoever takes it; undefined if there cannot be
 * one yet. Called once nobody holds the lock: what it says of the account is only used if no other run has written to it since. A plan of
 * files needs what the remote has `before` the lock is taken.
 */
export type Beginning = (by: LockHolder, before?: BeforeLock) => Promise<FirstJournal | undefined>;

/** What a remote has of an account whose lock nobody holds. */
export interface BeforeLock extends Pick<SharedStore, 'shared' | 'journals'> {
  /** In milliseconds: no request of a run with this lock may take longer. */
  readonly longestWrite: number;
}

/** Who takes a lock. */
export type LockHolder = RunBy & { readonly id: string };

/** A journal before anything was sent. */
export interface FirstJournal extends Pick<JournalCopy, 'name' | 'plan'> {
  readonly text: string;
}

/** The lock while a run holds it. */
export interface HeldAccountLock {
  /** The id of the run, as the lock has it. By default the run gets one of its own. */
  readonly run?: string;
  /** In milliseconds: no request of the run may take longer. By default the time limit of requests stays as it is. */
  readonly longestWrite?: number;
  /**
   * Whether a write that takes at most so many milliseconds may begin now, so that it has ended before another run can have the lock.
   * It is asked last before each write. It may renew the lock, and wait for that.
   */
  readonly mayWrite: (milliseconds: number) => Promise<boolean>;
  /** How often to call `renew`, in milliseconds. By default never. */
  readonly renewEvery?: number;
  /** Renews the lock; resolves to false if that failed for good. */
  readonly renew: () => Promise<boolean>;
  /** Called once at the end, unless `store` has given the lock back. */
  readonly release: () => Promise<void>;
  /** What the lock keeps besides; only of a lock in a Git remote. */
  readonly store?: SharedStore;
}

/** A lock that a run holds besides the one that all machines share, and for longer. */
export interface OuterLock {
  /** Whether a write may begin now. It is asked last before each write, after the inner lock. */
  readonly mayWrite: () => Promise<boolean>;
  /** Says which holder of the inner lock the run will be, before it takes that lock. */
  readonly takesAs: (id: string) => Promise<void>;
  /** Whether such a holder had the outer lock, lost it, and so writes nothing more. */
  readonly isLost: (id: string) => boolean;
}

/** The lock, where a write may only begin while the outer lock is held too. */
export const within = (outer: OuterLock, lock: AccountLock): AccountLock => ({
  take: async begins => {
    const held = await lock.take(begins);
    if ('refused' in held) return held;
    const mayWrite = async (milliseconds: number): Promise<boolean> =>
      (await held.mayWrite(milliseconds)) && outer.mayWrite();
    return { ...held, mayWrite };
  },
});

/** The bases and journals at the remote of the lock. */
export interface SharedStore {
  /** The refs of the account while the lock is held. */
  readonly shared: SharedRefs;
  /** The same refs as the remote has them: a base whose push failed is newer here than there. */
  readonly atRemote: RefCommits;
  /** Who holds the lock, as journals say it. */
  readonly by: RunBy;
  /** The journals of the last runs of all machines. */
  readonly journals: SharedJournals;
  /** Whether the remote has the journal of this run since the lock was taken. */
  readonly isBegun: boolean;
  /** Whether no other run has written to the account, and nobody has moved a base, since the journal of this run was to begin. */
  readonly isUnmoved: boolean;
  /** Copies the journal of the run to the remote with every renewal, and at the end. */
  readonly keep: (journal: JournalCopy) => void;
  /** Copies it now. Needed before the first write, unless the remote has it already. */
  readonly begin: () => Promise<Pushed>;
  /**
   * Gives the lock back, moves the ref of a base, notes beside the journals that it is the newest, and closes the journal of the run: all,
   * or nothing.
   */
  readonly end: (base: BaseCommit, move: RefMove, note: SharedNote) => Promise<Pushed>;
}

/** A push that did not move its refs, or perhaps did. */
export interface NotMoved {
  readonly why: string;
  /** Nobody could ask whether the remote has moved them. */
  readonly isUnknown?: true;
}

/** Why a push did not move its refs, in words. */
export const whyNotMoved = (pushed: Exclude<Pushed, { readonly is: 'done' }>): NotMoved =>
  pushed.is === 'moved'
    ? { why: 'another run has the lock, or somebody moved the ref' }
    : {
        why: pushed.why,
        ...(pushed.is === 'unknown' && pushed.isUnasked && { isUnknown: true }),
      };
