// Whether a hazard concerns some of the objects that an earlier message of it named, and no others.

// The end of a message, as `whoIn` writes it: how many objects, and their names.
const END = /^(?<says>.*) \((?:(?<count>\d+) [^:()]+(?:: (?<names>.*))?|none of the [^()]+)\)$/s;

const MORE = / and \d+ more$/;

/**
 * Whether one message says the same as another one of fewer objects. If the messages name objects, each must be one that was named
 * before; objects that were only counted may be others.
 */
export function concernsFewer(message: string, shown: string): boolean {
  const now = END.exec(message)?.groups;
  const then = END.exec(shown)?.groups;
  if (!now || !then || now.says !== then.says) return false;
  if (Number(now.count ?? 0) >= Number(then.count ?? 0)) return false;
  const names = now.names === undefined ? [] : namesIn(now.names);
  const known = new Set(namesIn(then.names ?? ''));
  return names.every(name => known.has(name)) && !MORE.test(now.names ?? '');
}

const namesIn = (list: string): readonly string[] => list.replace(MORE, '').split(', ');
