// One holder at a time; a dead one, or one that forgot to renew, holds nobody up.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type HeldLock, isOwner, type LockAsker, takeLock } from '../../src/apply/lockFile.ts';
import { inFolder } from '../support/cli.ts';

const asker = (more: Partial<LockAsker> = {}): LockAsker => ({
  pid: 1,
  host: 'here',
  isAlive: () => true,
  now: () => 0,
  ...more,
});

async function taken(path: string, who: LockAsker): Promise<HeldLock> {
  const lock = await takeLock(path, who);
  if (isOwner(lock)) throw new Error(`held by ${lock.pid}`);
  return lock;
}

const withLock = (use: (path: string) => Promise<void>) =>
  inFolder(folder => use(join(folder, 'x.lock')));

test('the refusal of a second run names the holder of the lock, since when and until when', () =>
  withLock(async path => {
    await taken(path, asker({ pid: 7, now: () => 1000 }));
    const second = await takeLock(path, asker({ pid: 8 }));
    expect(second).toMatchObject({ pid: 7, host: 'here', since: 1000, until: 901_000 });
  }));

test('a released lock can be taken, and leaves nothing behind', () =>
  withLock(async path => {
    await (await taken(path, asker())).release();
    expect(await readdir(join(path, '..'))).toEqual([]);
    const again = await taken(path, asker());
    expect(again.takenFrom).toBeNull();
  }));

test('the lock of a dead process on this host does not block others, and is reported', () =>
  withLock(async path => {
    await taken(path, asker({ pid: 7 }));
    const lock = await taken(path, asker({ isAlive: pid => pid !== 7 }));
    expect(lock.takenFrom).toMatchObject({ pid: 7, host: 'here' });
  }));

test('the lock of a process on another host only expires by time', () =>
  withLock(async path => {
    await taken(path, asker({ pid: 7, host: 'there' }));
    const isAlive = () => false;
    expect(await takeLock(path, asker({ isAlive, now: () => 899_999 }))).toMatchObject({ pid: 7 });
    const late = await taken(path, asker({ isAlive, now: () => 900_000 }));
    expect(late.takenFrom).toMatchObject({ host: 'there' });
  }));

test('a renewed lock lasts longer', () =>
  withLock(async path => {
    let now = 0;
    const lock = await taken(path, asker({ now: () => now }));
    now = 800_000;
    await lock.keep();
    expect(await takeLock(path, asker({ now: () => 1_600_000 }))).toMatchObject({
      until: 1_700_000,
    });
  }));

test('a process that lost the lock neither renews nor releases it', () =>
  withLock(async path => {
    let now = 0;
    const lost = await taken(path, asker({ pid: 7, now: () => now }));
    now = 900_000;
    await taken(path, asker({ pid: 8, now: () => now }));
    await lost.keep();
    await lost.release();
    expect(await takeLock(path, asker({ now: () => now }))).toMatchObject({ pid: 8 });
  }));

test('one of many processes that find the lock of a dead process concurrently gets it', () =>
  withLock(async path => {
    await taken(path, asker({ pid: 7 }));
    const isAlive = (pid: number) => pid !== 7;
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) => takeLock(path, asker({ pid: 100 + i, isAlive }))),
    );
    expect(all.filter(lock => !isOwner(lock))).toHaveLength(1);
  }));

test('an incomplete lock file has no holder', () =>
  withLock(async path => {
    await writeFile(path, '{"pid":');
    expect(isOwner(await takeLock(path, asker()))).toBe(false);
  }));

test('a holder that lost the lock gets an error, and does not take it back', () =>
  withLock(async path => {
    let now = 0;
    const lost = await taken(path, asker({ pid: 7, now: () => now }));
    expect(await lost.keep()).toBe(true);
    now = 900_000;
    await taken(path, asker({ pid: 8, now: () => now }));
    expect(await lost.keep()).toBe(false);
    expect(await takeLock(path, asker({ now: () => now }))).toMatchObject({ pid: 8 });
  }));

test('an expired lock that nobody took still belongs to its holder', () =>
  withLock(async path => {
    let now = 0;
    const lock = await taken(path, asker({ now: () => now }));
    now = 2_000_000;
    expect(await lock.keep()).toBe(true);
    expect(await takeLock(path, asker({ now: () => now }))).toMatchObject({ until: 2_900_000 });
  }));

test('a lock that several workers renew at the same time is still held', () =>
  withLock(async path => {
    let now = 0;
    const lock = await taken(path, asker({ now: () => now }));
    now = 120_000;
    const kept = await Promise.all([1, 2, 3, 4].map(() => lock.keep()));
    expect(kept).toEqual([true, true, true, true]);
    expect(await lock.keep()).toBe(true);
  }));

test('a lock whose file somebody deleted is lost', () =>
  withLock(async path => {
    const lock = await taken(path, asker());
    await rm(path);
    expect(await lock.keep()).toBe(false);
  }));

test('a process that dies while it breaks a lock does not block others', () =>
  withLock(async path => {
    const { id } = { id: 'dead' };
    const dead = { id, pid: 7, host: 'here', since: 0, until: 900_000 };
    await writeFile(path, JSON.stringify(dead));
    const isAlive = (pid: number) => pid > 8;
    const guard = createHash('sha256').update(id).digest('hex').slice(0, 16);
    await writeFile(`${path}.${guard}`, JSON.stringify({ ...dead, id: 'breaker', pid: 8 }));
    expect(isOwner(await takeLock(path, asker({ pid: 9, isAlive })))).toBe(false);
  }));

test('a lock that claims to last longer than any run can request is taken over', () =>
  withLock(async path => {
    const far = { id: 'x', pid: 7, host: 'there', since: 0 };
    for (const until of [9e15, 1_200_001, 'never', null, undefined]) {
      await writeFile(path, JSON.stringify({ ...far, until }));
      const lock = await taken(path, asker());
      expect(lock.takenFrom, String(until)).toMatchObject({ id: 'x' });
      await lock.release();
    }
    // The clock of the other machine may be a little ahead.
    await writeFile(path, JSON.stringify({ ...far, until: 1_200_000 }));
    expect(await takeLock(path, asker())).toMatchObject({ id: 'x' });
  }));

test('a file with other content is not treated as a lock, and stays unchanged', () =>
  inFolder(async folder => {
    const path = join(folder, 'x.lock');
    const target = join(folder, 'target');
    await symlink(target, path);
    await expect(takeLock(path, asker())).rejects.toThrow('it is a link');
    await writeFile(target, 'mine');
    await expect(takeLock(path, asker())).rejects.toThrow('it is a link');
    await rm(path);
    await mkdir(path);
    await expect(takeLock(path, asker())).rejects.toThrow('it is a folder');
    await rm(path, { recursive: true });
    await writeFile(path, 'x'.repeat(100_000));
    expect(isOwner(await takeLock(path, asker()))).toBe(false);
    expect(await readFile(target, 'utf8')).toBe('mine');
  }));

test('reading a lock file that changes at every read is given up', () =>
  withLock(async path => {
    let id = 0;
    // Whoever asks whether an owner is alive finds another owner the next time.
    const isAlive = () => {
      writeFileSync(
        path,
        JSON.stringify({ id: ++id, pid: 7, host: 'here', since: 0, until: 1000 }),
      );
      return false;
    };
    isAlive();
    await expect(takeLock(path, asker({ isAlive }))).rejects.toThrow('keeps changing');
  }));
