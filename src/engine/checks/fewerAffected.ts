// Whether a hazard concerns some of the objects that it concerned when it was shown, and no others.
import type { FoundHazard } from '../types/hazard.ts';

// The end of a message, as `whoIn` writes it: how many objects, and their names.
const END = /^(?<says>.*) \((?:(?<count>\d+) [^:()]+(?:: (?<names>.*))?|none of the [^()]+)\)$/s;

const MORE = / and \d+ more$/;

type Affecting = Pick<FoundHazard, 'message' | 'concerned'>;

/**
 * Whether a hazard says the same as the one shown, of the same objects or of fewer of them. A message may only count its objects,
 * so their ids decide. Plans of earlier versions do not contain them: then the number and the names in the messages decide.
 */
export function concernsNoOthers(now: Affecting, shown: Affecting): boolean {
  if (now.concerned === undefined || shown.concerned === undefined)
    return now.message === shown.message || concernsFewer(now.message, shown.message);
  const known = new Set(shown.concerned);
  const says = END.exec(now.message)?.groups?.says;
  return (
    says !== undefined &&
    says === END.exec(shown.message)?.groups?.says &&
    now.concerned.every(one => known.has(one))
  );
}

// If the messages name objects, each must be one that was named before; objects that were only counted may be others.
function concernsFewer(message: string, shown: string): boolean {
  const now = END.exec(message)?.groups;
  const then = END.exec(shown)?.groups;
  if (!now || !then || now.says !== then.says) return false;
  if (Number(now.count ?? 0) >= Number(then.count ?? 0)) return false;
  const names = now.names === undefined ? [] : namesIn(now.names);
  const known = new Set(namesIn(then.names ?? ''));
  return names.every(name => known.has(name)) && !MORE.test(now.names ?? '');
}

const namesIn = (list: string): readonly string[] => list.replace(MORE, '').split(', ');
