// A lock in a file: its owner, the time at which it was taken, and the time at which it expires. If
// the owner died or did not renew the lock in time, exactly one of the waiting processes takes the
// lock over.
import { createHash, randomUUID } from 'node:crypto';
import { constants, lstatSync, readFileSync } from 'node:fs';
import { link, rm, writeFile } from 'node:fs/promises';
import { jsonLine, jsonOf } from '../model/text/jsonText.ts';
import { isObject } from '../model/value.ts';
import { specialFile } from '../read/files/fileText.ts';
import { writeWhole } from '../read/files/writeFile.ts';

/**
 * A process that requests a lock, and a function that returns whether another owner is still
 * running.
 */
export interface LockAsker {
  readonly pid: number;
  readonly host: string;
  /** Whether a process of this host is running. */
  readonly isAlive: (pid: number) => boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The owner of a lock. */
export interface LockOwner {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly until: number;
}

/** A lock that is held. */
export interface HeldLock {
  /** Whether the lock is still held. Renews it if it is about to expire. */
  readonly keep: () => Promise<boolean>;
  readonly release: () => Promise<void>;
  /** The previous owner, if it did not release the lock; otherwise null. */
  readonly takenFrom: LockOwner | null;
}

/** How long a lock is valid without renewal, in milliseconds. */
const HOLDS = 15 * 60_000;
const RENEWED_AFTER = 60_000;

/** The largest accepted difference between the clocks of machines that share a lock, in milliseconds. */
const SKEW = 5 * 60_000;

/**
 * The maximum number of attempts. In each attempt, one of the competing processes gets the lock. If
 * this many attempts fail, something else must be changing the file.
 */
const TRIES = 100;

/** Takes the lock at `path`, or resolves to its owner. Rejects if the file cannot be created, or is not a lock. */
export async function takeLock(path: string, asker: LockAsker): Promise<HeldLock | LockOwner> {
  for (let tries = 0; tries < TRIES; tries++) {
    const owner = ownerOf(asker);
    if (await placed(path, owner)) return held(path, owner, asker, null);
    const other = readOwner(path);
    if (other === null) continue;
    if (holds(other, asker)) return other;
    const replaced = await replace(path, other, owner, asker);
    if (replaced === 'done') return held(path, owner, asker, other);
    if (replaced !== 'changed') return replaced;
  }
  throw new Error('it keeps changing');
}

/**
 * Writes `next` over `expected`, under a second lock that is named after `expected`, so that only
 * one process at a time checks whether the lock still has this owner. Resolves to the other
 * process, if there is one.
 */
async function replace(
  path: string,
  expected: LockOwner,
  next: LockOwner,
  asker: LockAsker,
): Promise<'done' | 'changed' | LockOwner> {
  const mark = createHash('sha256').update(expected.id).digest('hex').slice(0, 16);
  const guard = await takeLock(`${path}.${mark}`, asker);
  if (isOwner(guard)) return guard;
  try {
    if (readOwner(path)?.id !== expected.id) return 'changed';
    await writeWhole(path, jsonLine(next));
    return 'done';
  } finally {
    await guard.release();
  }
}

/** Whether another process has the lock. */
export const isOwner = (lock: HeldLock | LockOwner): lock is LockOwner => 'pid' in lock;

function ownerOf({ pid, host, now }: LockAsker): LockOwner {
  return { id: randomUUID(), pid, host, since: now(), until: now() + HOLDS };
}

function holds({ pid, host, until }: LockOwner, asker: LockAsker): boolean {
  const left = until - asker.now();
  // No owner asks for more time than `HOLDS`. The tolerance is for a machine whose clock is ahead.
  if (!(left > 0 && left <= HOLDS + SKEW)) return false;
  return host !== asker.host || asker.isAlive(pid);
}

// Creates the lock file with a link. A link appears at once with its whole content, or not at all.
async function placed(path: string, owner: LockOwner): Promise<boolean> {
  const draft = `${path}.${owner.id}`;
  try {
    await writeFile(draft, jsonLine(owner), { mode: 0o600, flag: 'wx' });
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

function held(
  path: string,
  owner: LockOwner,
  asker: LockAsker,
  takenFrom: LockOwner | null,
): HeldLock {
  const { now } = asker;
  let { until } = owner;
  const isMine = () => readOwner(path)?.id === owner.id;
  const renewed = async (): Promise<boolean> => {
    const next = { ...owner, until: now() + HOLDS };
    if ((await replace(path, owner, next, asker)) !== 'done') return false;
    until = next.until;
    return true;
  };
  // Only one renewal at a time, because two concurrent renewals would each see the other as a different owner.
  let renewal: Promise<boolean> | undefined;
  const renewedOnce = (): Promise<boolean> => {
    renewal ??= renewed().finally(() => {
      renewal = undefined;
    });
    return renewal;
  };
  return {
    takenFrom,
    keep: async () => (until - now() > HOLDS - RENEWED_AFTER ? isMine() : renewedOnce()),
    // If the lock has expired, another process may be about to take it over, so only its new owner
    // may remove the file.
    release: async () => {
      if (now() < until && isMine()) await rm(path, { force: true });
    },
  };
}

// An unreadable lock was never complete, so no process relies on it. The read is synchronous to
// save time, because it precedes every write of a run. The file has only one line, and an
// asynchronous read would take several turns of the event loop.
function readOwner(path: string): LockOwner | null {
  const text = lineIn(path);
  if (text === null) return null;
  const read = jsonOf(text);
  if (!isObject(read)) return UNKNOWN;
  const { id, pid, host, since, until } = read;
  return {
    id: String(id),
    pid: Number(pid),
    host: String(host),
    since: Number(since),
    until: Number(until),
  };
}

const UNKNOWN: LockOwner = { id: '', pid: 0, host: '', since: 0, until: 0 };

/** The maximum number of bytes that are read. A lock is shorter. */
const LONGEST = 4096;

// The text of a lock; null if there is none. A lock of meshform is always a regular file. A link is
// ignored because it may point anywhere.
function lineIn(path: string): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return null;
  if (found.isSymbolicLink()) throw new Error('it is a link');
  const special = specialFile(found);
  if (special !== null) throw new Error(special);
  if (found.size > LONGEST) return '';
  try {
    return readFileSync(path, { encoding: 'utf8', flag: O_RDONLY | O_NOFOLLOW });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

const { O_RDONLY, O_NOFOLLOW = 0 } = constants;
