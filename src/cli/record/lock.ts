// One apply at a time from one folder to one server. The lock is taken before the account is read, so that of two applies
// the second plans with what the first has done.
import { createHash } from 'node:crypto';
import { dirname, join, relative, resolve } from 'node:path';
import { makeJournalFolder } from '../../apply/journal/journalFile.ts';
import { type HeldLock, isOwner, type LockOwner, takeLock } from '../../apply/lock/lock.ts';
import { nameText, pathText, quoted } from '../../model/text/visible.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { Stop } from '../stop.ts';
import { journalsFor } from './journalFolder.ts';

/** What is locked, and where. */
export interface Locked {
  /** The folder of journals and locks. */
  readonly folder: string;
  /** Whether the lock is still held. */
  readonly keep: () => Promise<boolean>;
  /** Why there can be no folder of journals; then nothing is locked, and nothing may be written. */
  readonly failure?: string;
}

/** What to lock: the server, for desired state in a folder. */
export interface LockRequest {
  readonly url: string;
  /** Where the desired state is. */
  readonly path: string;
  /** The journal that `--journal` names. */
  readonly journal?: string | undefined;
}

/** Holds the lock for as long as `use` runs. Throws a `Stop` where another apply has it. */
export async function withLock<T>(
  request: LockRequest,
  io: Io,
  use: (lock: Locked) => Promise<T>,
): Promise<T> {
  const folder = await folderFor(request, io);
  if (typeof folder !== 'string') return use(folder);
  const lock = await lockIn(folder, request.url, io);
  try {
    return await use({ folder, keep: lock.keep });
  } finally {
    await lock.release();
  }
}

async function folderFor({ path, journal }: LockRequest, io: Io): Promise<string | Locked> {
  const folder = await journalsFor(path, io);
  try {
    await makeJournalFolder(folder);
    return folder;
  } catch (error) {
    // Where nothing can be written beside the files, the lock is at least beside the journal.
    if (journal !== undefined) return dirname(resolve(io.cwd, journal));
    return { folder, keep: () => Promise.resolve(true), failure: reasonOf(error) };
  }
}

async function lockIn(folder: string, url: string, io: Io): Promise<HeldLock> {
  const server = createHash('sha256').update(url).digest('hex').slice(0, 12);
  const path = join(folder, `${server}.lock`);
  const { now, self } = io;
  const lock = await takeLock(path, { ...self, now }).catch((error: unknown) => {
    const hint = 'allow writing in that folder, or set MESHFORM_JOURNALS to another folder';
    throw new Stop(
      EXIT.usage,
      `the lock ${quoted(path)} cannot be taken: ${reasonOf(error)}`,
      hint,
    );
  });
  if (isOwner(lock)) {
    const file = relative(io.cwd, path);
    const hint = `wait until it ends; if it is no longer running, its lock expires at ${timeOf(lock.until)}, or delete ${pathText(file)}`;
    throw new Stop(EXIT.refused, `another apply is running: ${ownerText(lock, io)}`, hint);
  }
  if (lock.takenFrom)
    say(io.stderr, `took over the expired lock of another apply: ${ownerText(lock.takenFrom, io)}`);
  return lock;
}

function ownerText({ pid, host, since }: LockOwner, { now }: Io): string {
  const minutes = Math.max(0, Math.floor((now() - since) / 60_000));
  const age = minutes === 0 ? 'less than a minute' : `${minutes} min`;
  return `process ${pid} on ${nameText(host)}, since ${timeOf(since)} (${age})`;
}

function timeOf(milliseconds: number): string {
  const time = new Date(milliseconds);
  return Number.isNaN(time.getTime()) ? 'an unknown time' : time.toISOString();
}
