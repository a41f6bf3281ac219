// The lock of a `lock` command: the lock of the account of a folder, at a remote of its clone.
import { resolve } from 'node:path';
import { gitLock } from '../../apply/lock/gitLock.ts';
import { holderOf } from '../../apply/lock/holder.ts';
import type { LeaseClocks } from '../../apply/lock/lease.ts';
import type { LockRef, RemoteTrouble, SeenLock } from '../../apply/lock/remoteLock.ts';
import type { LockRecord } from '../../model/lockRecord.ts';
import { quoted } from '../../model/text/visible.ts';
import { folderOf } from '../../read/files/projectFilesAbove.ts';
import { folderOfBase } from '../base/ownBase.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { projectOrStop } from '../project.ts';
import { type OwnRemote, withRemote } from '../remoteOfClone.ts';
import { Stop } from '../stop.ts';

/** A lock, and where it is. */
export interface OwnLock {
  /** The folder, as the user named it. */
  readonly path: string;
  readonly account: string;
  readonly remote: OwnRemote;
  readonly lock: LockRef;
  readonly clocks: LeaseClocks;
  /** Resolves to the holder as which this user takes the lock. */
  readonly holder: () => Promise<Omit<LockRecord, 'is' | 'ttl' | 'counter'>>;
}

/** Calls `use` with the lock of the account of the folder at `path`. Throws a `Stop` outside a clone with a remote. */
export async function withOwnLock<T>(
  path: string,
  io: Io,
  use: (own: OwnLock) => Promise<T>,
): Promise<T> {
  const { account, place } = await folderOfBase(path, io);
  const { lock_remote: chosen } = projectOrStop(io, folderOf(resolve(io.cwd, path)));
  return withRemote(place, chosen, io, async open => {
    const remote = await open();
    if (remote === null) throw noRemote();
    return use({
      path,
      account,
      remote,
      lock: gitLock(remote, account, io.now),
      clocks: { monotonic: io.monotonic, wall: io.now },
      holder: () => holderOf(place, io),
    });
  });
}

const noRemote = (): Stop =>
  new Stop(
    EXIT.invalid,
    'this clone has no remote, so there is no lock that machines share',
    'add one with `git remote add origin ADDRESS`; without it, applies use a file of this machine',
  );

/** The current lock; null if nobody holds it. Throws a `Stop` if the remote does not answer. */
export async function lockOrStop({ lock, remote }: OwnLock): Promise<SeenLock | null> {
  const found = await lock.read();
  if (found === null || !('why' in found)) return found;
  throw unreadLock(remote, found);
}

/** The `Stop` for a remote whose lock cannot be read. */
export const unreadLock = ({ name }: OwnLock['remote'], { why, hint }: RemoteTrouble): Stop =>
  new Stop(
    EXIT.failed,
    `the remote ${quoted(name)} does not answer: ${why}`,
    hint ?? 'check the remote with `git ls-remote`',
  );
