// Whether a hazard concerns some of the objects that it concerned when it was shown, and no others.
import type { FoundHazard } from '../types/hazard.ts';

// The end of a message, as `whoIn` writes it: how many objects, and perhaps their names.
const WHO = / \((?:\d+ |none of the |an unknown number of ).*\)$/s;

const withoutWho = (message: string): string => message.replace(WHO, '');

type Affecting = Pick<FoundHazard, 'message' | 'concerned'>;

/**
 * Whether a hazard says the same as the one shown, of the same objects or of fewer of them. A message may only count its objects,
 * so their ids decide. Without ids, as in plans of earlier versions, only the same message says the same.
 */
export function concernsNoOthers(now: Affecting, shown: Affecting): boolean {
  if (now.concerned === undefined || shown.concerned === undefined)
    return now.message === shown.message;
  const known = new Set(shown.concerned);
  return (
    withoutWho(now.message) === withoutWho(shown.message) &&
    now.concerned.every(one => known.has(one))
  );
}
