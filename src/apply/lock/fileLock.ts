// The lock of one machine: a file.
import { isOutOfRoom, reasonOf } from '../../read/files/fileText.ts';
import type { ApplyHost } from '../host.ts';
import { isOwner, takeLock } from '../lockFile.ts';
import type { AccountLock } from './accountLock.ts';

/** The lock in a file. Only runs of the same machine see it, or runs that share its folder. */
export function fileLock(
  path: string,
  { self, now, tell }: Pick<ApplyHost, 'self' | 'now' | 'tell'>,
): AccountLock {
  return {
    take: async () => {
      try {
        const lock = await takeLock(path, { ...self, now });
        if (isOwner(lock)) return { refused: 'locked', path, owner: lock };
        const { keep, release, takenFrom } = lock;
        if (takenFrom) tell({ note: 'lock-taken-over', from: takenFrom });
        return { mayWrite: keep, renew: keep, release };
      } catch (error) {
        const isFull = isOutOfRoom(error) && ({ isFull: true } as const);
        return { refused: 'lock-unusable', path, why: reasonOf(error), ...isFull };
      }
    },
  };
}
