// Whether the history of later files contains the revision of an earlier run. Files that never
// contained the revision have neither adopted nor reverted its changes.
import type { Plan } from '../../model/plan.ts';
import { isAncestor } from '../../read/git/history.ts';
import { commitOf, shallowness } from '../../read/git/revision.ts';
import { type BaseHost, placeOf } from '../recordedBase/gitPlace.ts';

type Revised = Pick<Plan, 'folder' | 'revision'>;

/**
 * Whether the revision of an earlier plan is in the history of a later plan. A plan without a
 * revision counts as a plan of the same files, because it is for the same folder. Undefined if this
 * clone cannot determine it.
 */
export async function hadRevision(
  later: Revised,
  { revision }: Revised,
  host: BaseHost,
): Promise<boolean | undefined> {
  if (revision === undefined || later.revision === undefined || revision === later.revision)
    return true;
  const place = placeOf(later.folder, host);
  const isThere = await isAncestor(place, revision, later.revision);
  if (typeof isThere === 'boolean') return isThere;
  return (await isOutside(revision, later.revision, place)) ? false : undefined;
}

// Whether a revision is outside the history of a clone. A complete clone has the whole history of
// its revisions, so a revision that it lacks is not in this history.
async function isOutside(
  revision: string,
  later: string,
  place: ReturnType<typeof placeOf>,
): Promise<boolean> {
  const known = await commitOf(place, later);
  if (!('commit' in known) || (await shallowness(place)) !== null) return false;
  const found = await commitOf(place, revision);
  return !('commit' in found) && found.is === 'unknown';
}
