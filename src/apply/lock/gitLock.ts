// The ref of a lock in a Git remote.
import { lockRef } from '../../base/refName.ts';
import type { GitFault } from '../../read/git/runGit.ts';
import { makeCommit } from '../../read/git/writeObjects.ts';
import { messageOf } from '../../read/remote/lockAtRemote.ts';
import { fetchListed, isFault, pushRefs, type Remote } from '../../read/remote/remoteRefs.ts';
import { lockMessage, lockOfMessage } from '../lockRecord.ts';
import { sentenceOfRef } from './inTheWay.ts';
import type { LockRef, RemoteTrouble } from './remoteLock.ts';

/** The lock of an account at a remote. `now` is in milliseconds since 1970. */
export const gitLock = (remote: Remote, account: string, now: () => number): LockRef =>
  lockAtRef(remote, lockRef(account), now);

// The reason and hint of a fault, without its field `is`. A caller that spreads them into its own
// result would otherwise overwrite its own field `is`.
const troubleOf = ({ why, hint }: GitFault): RemoteTrouble => ({ why, hint });

/** The lock at any ref of a remote. */
export function lockAtRef(remote: Remote, ref: string, now: () => number): LockRef {
  const { place } = remote.objects;
  return {
    ref,
    read: async () => {
      const found = await fetchListed(remote, [ref]);
      if (isFault(found)) return troubleOf(found);
      const [lock] = found;
      if (lock === undefined) return null;
      const { commit, target } = lock;
      const message = await messageOf(place, commit);
      return {
        commit,
        record: message === null ? null : lockOfMessage(message),
        ...(target !== undefined && {
          untouchable: sentenceOfRef({ ref, target }, remote.name),
        }),
      };
    },
    make: (record, before) =>
      makeCommit(place, {
        files: new Map(),
        parents: before === null ? [] : [before],
        at: now(),
        message: lockMessage(record),
      }),
    push: moves => pushRefs(remote, moves),
  };
}
