// `apply --abandon` of an apply whose journal is lost: only a recorded base names it, until a person has looked at the account.
import { isSignedBase, type LostRun, lostRuns } from '../../apply/earlierRuns/lostRuns.ts';
import type { SharedStore } from '../../apply/lock/accountLock.ts';
import { placeOf } from '../../apply/recordedBase/place.ts';
import { signedBase } from '../../apply/recordedBase/record.ts';
import { storeAtRemote } from '../../apply/recordedBase/storeAtRemote.ts';
import { runsNamed } from '../../model/runName.ts';
import type { Signer } from '../../model/signer.ts';
import { nameOfBase } from '../../read/git/baseChain.ts';
import { newestOf } from '../base/baseStore.ts';
import { noteNewest } from '../base/ownBase.ts';
import { notRecorded } from '../base/recording.ts';
import type { Io } from '../io.ts';
import { machineOf } from '../machine.ts';

/** The remote that the lock is in, and who records there. */
interface Abandoning {
  readonly path: string;
  readonly store: SharedStore;
  readonly signer: Signer;
}

/**
 * Records the base without the name of the lost apply that `abandon` names. Resolves to whether there is one; throws a `Stop` if that
 * failed.
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

// The moment stays: an apply that began since is still newer than the base.
async function withoutRun(
  { run, named: stored }: LostRun,
  { path, store, signer }: Abandoning,
  host: Parameters<typeof placeOf>[1],
) {
  const { unfinished = [], ...content } = stored.base;
  const left = unfinished.filter(one => one !== run);
  const document = signedBase(
    { ...content, before: nameOfBase(stored), ...(left.length > 0 && { unfinished: left }) },
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
