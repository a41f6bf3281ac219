// Allows only one apply at a time for an account, across all machines. A program may use its own
// lock, such as a lock in a database.

import type { BaseCommit } from '../../model/recordedBase.ts';
import type { SharedRefs } from '../../read/environment.ts';
import type { Pushed, RefCommits, RefMove } from '../../read/remote/remoteRefs.ts';
import type { RunBy } from '../../report/run/journalLines.ts';
import type { JournalCopy, SharedJournals, SharedNote } from '../journal/sharedJournals.ts';
import type { LockRefusal } from '../refusal.ts';
import type { ReachedServer } from './accountServer.ts';

/** A lock that all machines share. */
export interface AccountLock {
  /**
   * Takes the lock, or returns why it cannot be taken. A lock that stores journals may store the
   * journal of `begins` in the same step; its `store` then shows this. A lock that knows the server
   * of the account refuses a run whose `reached` is another server.
   */
  readonly take: (
    begins?: Beginning,
    reached?: ReachedServer,
  ) => Promise<HeldAccountLock | LockRefusal>;
}

/**
 * Makes the first state of a run's journal before the run has the lock; undefined if the plan is
 * not known yet. Called once nobody holds the lock. The data that it reads from the account is used
 * only if no other run has written to the account since. A plan of files needs the state at the
 * remote `before` the lock is taken.
 */
export type Beginning = (by: LockHolder, before?: BeforeLock) => Promise<FirstJournal | undefined>;

/** The state at the remote of an account while nobody holds its lock. */
export interface BeforeLock extends Pick<SharedStore, 'shared' | 'journals'> {
  /** The maximum duration of a request of a run with this lock, in milliseconds. */
  readonly longestWrite: number;
}

/** The user and machine that take a lock, with the id of the run. */
export type LockHolder = RunBy & { readonly id: string };

/** A journal before anything was sent. */
export interface FirstJournal extends Pick<JournalCopy, 'name' | 'plan'> {
  readonly text: string;
}

/** The lock while a run holds it. */
export interface HeldAccountLock {
  /** The id of the run in the lock. By default, the run gets a new id. */
  readonly run?: string;
  /** The maximum duration of a request of the run, in milliseconds. By default the time limit of requests is unchanged. */
  readonly longestWrite?: number;
  /**
   * Whether a write that takes at most this number of milliseconds may begin now. It may if it ends
   * before another run can have the lock. This is the last check before each write. It may renew
   * the lock, and wait for the renewal.
   */
  readonly mayWrite: (milliseconds: number) => Promise<boolean>;
  /** How often to call `renew`, in milliseconds. By default never. */
  readonly renewEvery?: number;
  /** Renews the lock. Resolves to false if the lock can no longer be renewed. */
  readonly renew: () => Promise<boolean>;
  /** Called once when the run ends, unless `store` has released the lock. */
  readonly release: () => Promise<void>;
  /** The bases and journals that the lock also stores. Present only for a lock in a Git remote. */
  readonly store?: SharedStore;
}

/**
 * A lock that a run holds in addition to the lock that all machines share. It is held for longer.
 */
export interface OuterLock {
  /** Whether a write may begin now. This is the last check before each write, after the check of the inner lock. */
  readonly mayWrite: () => Promise<boolean>;
  /**
   * Announces the id with which the run will hold the inner lock, before the run takes that lock.
   */
  readonly announceHolder: (id: string) => Promise<void>;
  /**
   * Whether the holder with this id had the outer lock and lost it. Such a holder writes nothing
   * more.
   */
  readonly isLost: (id: string) => boolean;
}

/**
 * Returns the lock with an additional condition: a write may begin only while the outer lock is
 * held too.
 */
export const withOuterLock = (outer: OuterLock, lock: AccountLock): AccountLock => ({
  take: async (begins, reached) => {
    const held = await lock.take(begins, reached);
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
  /**
   * The same refs as they are at the remote. If the push of a base failed, `shared` contains a
   * newer base.
   */
  readonly atRemote: RefCommits;
  /** The holder of the lock, in the form that journals use. */
  readonly by: RunBy;
  /** The journals of the last runs of all machines. */
  readonly journals: SharedJournals;
  /** Whether the remote got the journal of this run together with the lock. */
  readonly isBegun: boolean;
  /**
   * Whether the state that the journal was to begin with is still valid: no other run has written
   * to the account since, and nobody has moved a base.
   */
  readonly isUnmoved: boolean;
  /** Copies the journal of the run to the remote with every renewal, and when the run ends. */
  readonly keep: (journal: JournalCopy) => void;
  /**
   * Copies the journal now. Required before the first write, unless the remote already has the
   * journal.
   */
  readonly begin: () => Promise<Pushed>;
  /**
   * Does all of the following in a single push, or nothing: releases the lock, moves the ref of a
   * base, notes beside the journals that this base is the newest, and closes the journal of the
   * run.
   */
  readonly end: (base: BaseCommit, move: RefMove, note: SharedNote) => Promise<Pushed>;
}

/** A push that did not move its refs, or whose outcome is unknown. */
export interface NotMoved {
  readonly why: string;
  /** Present if the remote did not answer whether it has moved the refs. */
  readonly isUnknown?: true;
  /**
   * The base that is missing at the remote, although no other run could have moved it while this
   * run had the lock.
   */
  readonly lost?: LostBase;
}

/** A base that somebody removed at the remote or replaced by an earlier base. */
export interface LostBase {
  readonly is: 'deleted' | 'put back';
  /** The commit that the remote had. */
  readonly commit: string;
}

/** The reason why a push did not move its refs, as text. */
export const whyNotMoved = (pushed: Exclude<Pushed, { readonly is: 'done' }>): NotMoved =>
  pushed.is === 'moved'
    ? { why: 'another run has the lock, or somebody moved the ref' }
    : {
        why: pushed.why,
        ...(pushed.is === 'unknown' && pushed.isUnasked && !pushed.isUnsent && { isUnknown: true }),
      };
