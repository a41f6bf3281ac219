// Whether a hazard concerns some of the objects that it concerned when it was shown, and no others.
import type { FoundHazard } from '../types/hazard.ts';

type Affecting = Pick<FoundHazard, 'message' | 'says' | 'concerned'>;

/**
 * Whether a hazard says the same as the one shown, of the same objects or of fewer of them. A message may only count its objects,
 * so their ids decide. Without ids, as in plans of earlier versions, only the same message says the same.
 */
export function concernsNoOthers(now: Affecting, shown: Affecting): boolean {
  const known = new Set(shown.concerned);
  const { concerned, says } = now;
  if (concerned === undefined || shown.concerned === undefined || says === undefined)
    return now.message === shown.message;
  return says === shown.says && concerned.every(one => known.has(one));
}
