// How a lock in a Git remote is taken.
import type { BeforeAtRemote } from './accountRefs.ts';
import type { LockSettings } from './remoteLock.ts';

/** The settings with which a lock in a Git remote is taken. */
export interface GitLockSettings extends LockSettings {
  readonly account: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /**
   * The refs of the account and of its lock, from one listing of the remote. By default the remote is asked for them when they
   * are needed.
   */
  readonly before?: BeforeAtRemote;
  /** Receives the reason why the lock could not be released, or why it is unknown whether this run took it. */
  readonly onLeft?: ((left: LeftLock) => void) | undefined;
  /** Called once this run has restored journals that somebody removed at the remote in the meantime. */
  readonly onRestored?: (() => void) | undefined;
}

/** A lock that the remote may still have for a run that has ended. */
export interface LeftLock {
  readonly why: string;
  /** The id of the run. */
  readonly run: string;
  /** How long others wait before they take the lock over, in seconds. */
  readonly ttl: number;
}

/**
 * A third of the time that a lock lasts without a renewal, in whole milliseconds, because timers of Node accept nothing else. The
 * argument is in seconds.
 */
export const thirdOf = (ttl: number): number => Math.floor((ttl * 1000) / 3);
