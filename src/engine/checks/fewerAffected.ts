// Whether a hazard affects no objects beyond those that it affected when it was shown.
import type { FoundHazard } from '../types/hazard.ts';

type Affecting = Pick<FoundHazard, 'message' | 'says' | 'concerned'>;

/**
 * Whether a hazard is the same as the hazard that was shown, and affects the same objects or fewer.
 * The ids of the objects are compared, because a message may contain only their number. Without
 * ids, as in plans of earlier versions, the messages must be equal.
 */
export function concernsNoOthers(now: Affecting, shown: Affecting): boolean {
  const known = new Set(shown.concerned);
  const { concerned, says } = now;
  if (concerned === undefined || shown.concerned === undefined || says === undefined)
    return now.message === shown.message;
  return says === shown.says && concerned.every(one => known.has(one));
}
