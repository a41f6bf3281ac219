// Whether the base of a plan that was applied completely can be recorded by a later run of it: by then another may have been recorded,
// or somebody may have put the ref back.
import { baseRef } from '../../base/refName.ts';
import type { Signer } from '../../model/signer.ts';
import { storedBase } from '../../read/git/storedBases.ts';
import type { Refusal } from '../refusal.ts';
import { notNewest } from './older.ts';
import { placeOf } from './place.ts';
import { type CompletedPlan, type RecordHost, recordedAlready } from './record.ts';
import { unrecordable } from './recordable.ts';
import { unverifiedBase } from './verify.ts';

/** The refusal for a plan whose base is not the newest there, and cannot be recorded any more; null if there is none. */
export async function unrecordableAgain(
  completed: CompletedPlan,
  host: RecordHost,
  signer: Signer,
): Promise<Refusal | null> {
  const { plan } = completed;
  const { account, base, folder, revision } = plan;
  if (account === undefined || revision === undefined || base?.content === undefined)
    return unrecordable(plan, host);
  const ref = baseRef(account, base.content);
  const stored = await storedBase(placeOf(folder, host), ref).catch(() => null);
  const isReadable = stored === null || !('why' in stored);
  const older = isReadable ? await notNewest(folder, { ref, stored }, { host, signer }) : null;
  if (older) return older;
  if (await recordedAlready(completed, host, signer)) return null;
  return (await unverifiedBase(plan, host, signer)) ?? unrecordable(plan, host);
}
