// Makes runs of `drift` that share a state file take turns. Each run reads the state of the
// previous run, so that every run counts once.
import { resolve } from 'node:path';
import { type HeldLock, isOwner, takeLock } from '../../apply/lockFile.ts';
import { quoted } from '../../model/text/visible.ts';
import { writeTargetAt } from '../../read/files/writeTarget.ts';
import { type Io, say } from '../io.ts';

/**
 * The wait between two attempts, in milliseconds. A turn lasts at most as long as a notification,
 * so the number of attempts is derived from that time.
 */
const PAUSE = 100;
const ATTEMPTS = 600;

/**
 * Runs `use` while no other run uses `file`. If the file does not become free in time, or no lock can be created, `use` runs
 * anyway, with a warning.
 */
export async function inTurn(file: string, use: () => Promise<void>, io: Io): Promise<void> {
  const place = writeTargetAt(resolve(io.cwd, file));
  if (place.is === 'stream' || place.is === 'unusable') return use();
  const lock = await lockAt(`${place.path}.lock`, io);
  if (lock === null)
    say(
      io.stderr,
      `warning: ${quoted(file)} cannot be locked: another run may count at the same time`,
    );
  try {
    await use();
  } finally {
    await lock?.release();
  }
}

async function lockAt(path: string, io: Io): Promise<HeldLock | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const lock = await takeLock(path, { ...io.self, now: io.now }).catch(() => null);
    if (lock === null || !isOwner(lock)) return lock;
    await io.sleep(PAUSE);
  }
  return null;
}
