// A process that contends for a lock whenever its parent says so, and reports whether it got it.
import { hostname } from 'node:os';
import { isOwner, takeLock } from '../../src/apply/lockFile.ts';

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

process.on('message', async (path: string) => {
  const lock = await takeLock(path, { pid: process.pid, host: hostname(), isAlive, now: Date.now });
  process.send?.(isOwner(lock) ? 'refused' : 'held');
});
