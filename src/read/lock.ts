// A lock in a file: who holds it, since when, and until when. One whose holder is dead, or did not renew it, holds nobody.
import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { jsonLine } from '../model/jsonText.ts';
import { isObject, type Json } from '../model/value.ts';
import { writeWhole } from './writeFile.ts';

/** Who asks for a lock, and how it is told whether another one is still there. */
export interface LockAsker {
  readonly pid: number;
  readonly host: string;
  /** Whether a process of this host runs. */
  readonly isAlive: (pid: number) => boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Who holds a lock. */
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
  /** Holds it for longer, where it is about to expire. */
  readonly renew: () => Promise<void>;
  readonly release: () => Promise<void>;
  /** Whose it was before, where that one did not give it back; null where it was nobody's. */
  readonly takenFrom: LockOwner | null;
}

/** How long a lock holds that nobody renews. */
const HOLDS = 15 * 60_000;
const RENEWED_AFTER = 60_000;

/** Takes the lock at `path`, or resolves to who has it. Rejects where there can be no file. */
export async function takeLock(path: string, asker: LockAsker): Promise<HeldLock | LockOwner> {
  let takenFrom: LockOwner | null = null;
  for (;;) {
    const owner = ownerOf(asker);
    if (await placed(path, owner)) return held(path, owner, asker, takenFrom);
    const other = await readOwner(path);
    if (other === null) continue;
    if (holds(other, asker)) return other;
    if (await taken(path, other)) takenFrom = other;
  }
}

/** Whether somebody else has the lock. */
export const isOwner = (lock: HeldLock | LockOwner): lock is LockOwner => 'pid' in lock;

function ownerOf({ pid, host, now }: LockAsker): LockOwner {
  return { id: randomUUID(), pid, host, since: now(), until: now() + HOLDS };
}

function holds({ pid, host, until }: LockOwner, asker: LockAsker): boolean {
  if (asker.now() >= until) return false;
  return host !== asker.host || asker.isAlive(pid);
}

// A link comes to be at once and with all that is in it, or not at all.
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

// Of two who find the same dead one, one moves it away; whoever moves a living one instead puts it back.
async function taken(path: string, dead: LockOwner): Promise<boolean> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch {
    return false;
  }
  const moved = await readOwner(aside);
  const isDead = moved === null || moved.id === dead.id;
  if (!isDead) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
  return isDead;
}

function held(
  path: string,
  owner: LockOwner,
  { now }: LockAsker,
  takenFrom: LockOwner | null,
): HeldLock {
  let { until } = owner;
  const isMine = async () => (await readOwner(path))?.id === owner.id;
  return {
    takenFrom,
    renew: async () => {
      if (until - now() > HOLDS - RENEWED_AFTER) return;
      until = now() + HOLDS;
      if (await isMine()) await writeWhole(path, jsonLine({ ...owner, until }));
    },
    release: async () => {
      if (await isMine()) await rm(path, { force: true });
    },
  };
}

// One that cannot be read was never whole, so nobody relies on it.
async function readOwner(path: string): Promise<LockOwner | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const read = parsed(text);
  if (!isObject(read)) return UNKNOWN;
  const { id, pid, host, since, until } = read;
  return {
    ...{ id: String(id), pid: Number(pid), host: String(host) },
    ...{ since: Number(since), until: Number(until) },
  };
}

const UNKNOWN: LockOwner = { id: '', pid: 0, host: '', since: 0, until: 0 };

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
