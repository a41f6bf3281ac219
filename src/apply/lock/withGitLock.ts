// The lock in the Git remote of a clone, for programs that carry out plans themselves.
import { folderOf } from '../../read/files/projectFilesAbove.ts';
import { separateObjects } from '../../read/remote/objectFolder.ts';
import type { ApplyHost } from '../host.ts';
import { stateFolder } from '../journal/stateFolder.ts';
import type { AccountLock } from './accountLock.ts';
import { gitAccountLock } from './gitAccountLock.ts';
import { holderOf } from './holder.ts';

/** The account whose lock is taken, and the settings of the lock. */
export interface GitLockRequest {
  /** The folder of desired state, in a clone. */
  readonly folder: string;
  /** The id of the account. */
  readonly account: string;
  /** The name of the remote in the settings of git. By default `origin`. */
  readonly remote?: string;
  /** Seconds without a renewal after which others may take the lock over. By default 180. */
  readonly ttl?: number;
  /**
   * How long to keep asking for a lock that somebody renews, in milliseconds. By default the call refuses such a lock at once.
   */
  readonly wait?: number;
  /** The time limit of each connection to the remote, in milliseconds. By default 30,000. */
  readonly patience?: number;
  /** A monotonic clock, in milliseconds. By default `performance.now`. */
  readonly monotonic?: () => number;
}

/**
 * Calls `use` with the lock of an account in the Git remote of a clone. The lock also stores bases
 * and journals. Rejects outside a clone.
 */
export async function withGitLock<T>(
  request: GitLockRequest,
  host: Pick<ApplyHost, 'env' | 'secrets' | 'now' | 'sleep' | 'self'>,
  use: (lock: AccountLock) => Promise<T>,
): Promise<T> {
  const { folder, account, remote = 'origin', ttl = 180, wait = 0, patience = 30_000 } = request;
  const { env, now, sleep } = host;
  const { monotonic = () => performance.now() } = request;
  const place = { folder: folderOf(folder), host };
  const objects = await separateObjects(place, { state: stateFolder(env), now: now() });
  try {
    const holder = await holderOf(place, host);
    const clocks = { monotonic, wall: now };
    const settings = { account, now, holder, ttl, wait, clocks, sleep };
    return await use(gitAccountLock({ objects, name: remote, patience }, settings));
  } finally {
    await objects.close();
  }
}
