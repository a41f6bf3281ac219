// Whether the recorded base says that a run is closed. The journal alone does not prove that a run
// is open, because somebody may have restored an older journal.
import { baseRef } from '../../base/refName.ts';
import type { Plan } from '../../model/plan.ts';
import type { Signer } from '../../model/signer.ts';
import { storedBase } from '../../read/git/storedBases.ts';
import { type BaseHost, placeOf } from '../recordedBase/gitPlace.ts';
import { isSignedBase } from './lostRuns.ts';

/**
 * Whether a base of the files of a plan says that the run is closed. The base must be signed with a
 * key of this run.
 */
export async function isClosedInBase(
  run: string,
  { folder, account, base }: Pick<Plan, 'folder' | 'account' | 'base'>,
  { host, signer }: { readonly host: BaseHost; readonly signer: Signer },
): Promise<boolean> {
  if (account === undefined || base?.content === undefined) return false;
  const ref = baseRef(account, base.content);
  const stored = await storedBase(placeOf(folder, host), ref).catch(() => null);
  if (stored === null || 'why' in stored || !isSignedBase(stored, signer)) return false;
  return stored.base.closed?.includes(run) === true;
}
