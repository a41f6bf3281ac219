// Whether later files had the revision of an earlier run: files that never had it have neither taken it over nor reverted it.
import type { Plan } from '../../model/plan.ts';
import { isAncestor } from '../../read/git/history.ts';
import { commitOf, shallowness } from '../../read/git/revision.ts';
import { type BaseHost, placeOf } from '../recordedBase/place.ts';

type Revised = Pick<Plan, 'folder' | 'revision'>;

/**
 * Whether the revision of an earlier plan is in the history of a later one. A plan without a revision is of the same files because
 * of its folder. Undefined if this clone cannot tell.
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

// A whole clone that has a revision has all of its history, so a revision that it does not know is not in that history.
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
