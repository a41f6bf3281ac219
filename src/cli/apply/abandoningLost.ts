// Changes in a recorded base by `apply --abandon`: the base no longer names an apply whose journal
// is lost, or it names an apply as closed.
import { isSignedBase, lostRuns } from '../../apply/earlierRuns/lostRuns.ts';
import type { VerifiedRun } from '../../apply/earlierRuns/remoteRuns.ts';
import type { SharedStore } from '../../apply/lock/accountLock.ts';
import { placeOf } from '../../apply/recordedBase/gitPlace.ts';
import { notNewest } from '../../apply/recordedBase/older.ts';
import { signedBase } from '../../apply/recordedBase/record.ts';
import { storeAtRemote } from '../../apply/recordedBase/storeAtRemote.ts';
import { baseRef } from '../../base/refName.ts';
import { runsNamed } from '../../model/runName.ts';
import type { Signer } from '../../model/signer.ts';
import { nameOfBase } from '../../read/git/baseChain.ts';
import { remotesOf } from '../../read/git/remotes.ts';
import { type StoredBase, storedBase } from '../../read/git/storedBases.ts';
import { newestOf } from '../base/baseStore.ts';
import { noteNewest } from '../base/ownBase.ts';
import { notRecorded } from '../base/recording.ts';
import type { Io } from '../io.ts';
import { machineOf } from '../machine.ts';

/** The folder, the remote with the lock, and the signer of the new base. */
interface Abandoning {
  readonly path: string;
  readonly store: SharedStore;
  readonly signer: Signer;
}

/**
 * Records the base without the lost apply that `abandon` names. Resolves to whether there is such
 * an apply. Throws a `Stop` if the base cannot be recorded.
 */
export async function abandonLost(
  abandon: string,
  { path, store, signer }: Abandoning,
  io: Io,
): Promise<boolean> {
  const host = { ...machineOf(io), shared: store.shared };
  const lost = await lostRuns(store.journals, signer, { path, host });
  const [found, ...more] = runsNamed(
    lost.filter(({ named }) => isSignedBase(named, signer)),
    abandon,
  );
  if (found === undefined || more.length > 0) return false;
  const recorded = await withoutRun(found, { path, store, signer }, host);
  if ('why' in recorded) throw notRecorded(recorded.why);
  const { named, document } = recorded;
  const isOwn = found.isOwn;
  const base = newestOf({ ...found.named, ...document, commit: named.commit });
  if (isOwn) await noteNewest(path, { base }, signer, io);
  return true;
}

// The time of the base does not change, so an apply that began after it is still newer than the
// base.
async function withoutRun(
  { run, named: stored }: { readonly run: string; readonly named: StoredBase },
  { path, store, signer, isClosed = false }: Abandoning & { readonly isClosed?: boolean },
  host: Parameters<typeof placeOf>[1],
) {
  const { unfinished = [], closed: before = [], ...content } = stored.base;
  const left = unfinished.filter(one => one !== run);
  const closed = isClosed ? [...new Set([...before, run])] : before;
  const document = signedBase(
    {
      ...content,
      before: nameOfBase(stored),
      ...(left.length > 0 && { unfinished: left }),
      ...(closed.length > 0 && { closed }),
    },
    signer,
  );
  const next = {
    ref: stored.ref,
    recordedAt: Date.parse(stored.base.recordedAt),
    before: stored.commit,
    parents: [stored.base.revision, stored.commit],
    ...document,
  };
  const named = await storeAtRemote(placeOf(path, host), next, store, signer);
  return 'why' in named ? named : { named, document };
}

const SEVERAL = 'this clone has several remotes, and the others would not have that base';

/**
 * Records a base of the folder that marks a run as closed, in the push that releases the lock.
 * Nobody can then reopen the run by restoring an older journal. Does nothing if the folder has no
 * base signed with a key of this run. Resolves to null, or to the reason if the base is not
 * recorded.
 */
export async function closeInBase(
  { run, read: { plan } }: VerifiedRun,
  { path, store, signer }: Abandoning,
  io: Io,
): Promise<string | null> {
  const { account, base: planned } = plan;
  if (account === undefined || planned?.content === undefined) return null;
  const host = { ...machineOf(io), shared: store.shared };
  const ref = baseRef(account, planned.content);
  const stored = await storedBase(placeOf(path, host), ref).catch(() => null);
  if (stored === null || 'why' in stored || !isSignedBase(stored, signer)) return null;
  // A base that somebody restored is not recorded again. A base that exists only in the clone is
  // recorded by its own apply.
  const known = { host, signer, journals: store.journals };
  const isNewest = (await notNewest(path, { ref, stored }, known)) === null;
  if (!isNewest || store.atRemote.get(ref) !== stored.commit) return null;
  // If another remote lacked the new base, applies with their lock at that remote would be refused.
  if ((await remotesOf(placeOf(path, host))).names.length > 1) return SEVERAL;
  const recorded = await withoutRun(
    { run, named: stored },
    { path, store, signer, isClosed: true },
    host,
  );
  if ('why' in recorded) return recorded.why;
  const { named, document } = recorded;
  const base = newestOf({ ...stored, ...document, commit: named.commit });
  await noteNewest(path, { base }, signer, io);
  return null;
}
