// Finds the folders and links on the way to a path, because the owner of each link decides where the path leads.
import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { realOf } from './projectFilesAbove.ts';

/** An entry that the system passes on the way to a path. */
interface Passed {
  readonly at: string;
  readonly stats: Stats;
}

/** Every folder and every link that the system passes on the way to a path, from the top; the path itself is the last. */
export function onTheWayTo(path: string, seen = new Set<string>()): readonly Passed[] {
  if (seen.has(path)) return [];
  seen.add(path);
  const above = dirname(path);
  const passed = above === path ? [] : onTheWayTo(above, seen);
  const stats = statsOf(path);
  if (stats === null) return passed;
  const target = stats.isSymbolicLink() ? resolve(realOf(above), readlinkSync(path)) : null;
  return [...passed, { at: path, stats }, ...(target === null ? [] : onTheWayTo(target, seen))];
}

// The stats of an entry; null if it cannot be examined. Using such an entry fails with its own message.
function statsOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}
