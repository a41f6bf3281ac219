// Checks whether a later run of a completely applied plan can record the base of that plan. By
// then, another base may have been recorded, or somebody may have restored an older base at the
// ref.
import { baseRef } from '../../base/refName.ts';
import type { Signer } from '../../model/signer.ts';
import { storedBase } from '../../read/git/storedBases.ts';
import type { SharedJournals } from '../journal/sharedJournals.ts';
import type { Refusal } from '../refusal.ts';
import { placeOf } from './gitPlace.ts';
import { notNewest } from './older.ts';
import { type CompletedPlan, type RecordHost, recordedAlready } from './record.ts';
import { unrecordable } from './recordable.ts';
import { unverifiedBase } from './verify.ts';

/** Where a base would be recorded again, and its signer. */
export interface AgainRequest {
  readonly host: RecordHost;
  readonly signer: Signer;
  /** The journals of all machines, if the lock is in a remote. */
  readonly journals?: SharedJournals | undefined;
}

/**
 * The refusal for a plan whose base is not the newest at its ref and can no longer be recorded;
 * null if it can be.
 */
export async function unrecordableAgain(
  completed: CompletedPlan,
  { host, signer, journals }: AgainRequest,
): Promise<Refusal | null> {
  const { plan } = completed;
  const { account, base, folder, revision } = plan;
  if (account === undefined || revision === undefined || base?.content === undefined)
    return unrecordable(plan, host);
  const ref = baseRef(account, base.content);
  const stored = await storedBase(placeOf(folder, host), ref).catch(() => null);
  const isReadable = stored === null || !('why' in stored);
  const known = { host, signer, journals };
  const older = isReadable ? await notNewest(folder, { ref, stored }, known) : null;
  if (older) return older;
  if (await recordedAlready(completed, { host, signer })) return null;
  // If another base is recorded by now, the clone need not contain the previous base.
  if (stored !== null && 'commit' in stored && !base.commits.includes(stored.commit))
    return { refused: 'base', because: 'other-base', ref };
  return (await unverifiedBase(plan, host, signer)) ?? unrecordable(plan, host);
}
