// Links in a checkout that lead out of it, or to what no commit can hold. A commit can have put one where a command writes.
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { isInGit } from './confined.ts';

/** Why a place is not written to. Completes "… cannot be written: ". */
export const LEADS_OUT = 'through a link, it leads out of the checkout or into its .git';

/** Whether a path is led out of a checkout; see `ledOutOfCheckout`. */
export const leadsOutOfCheckout = (path: string): boolean => ledOutOfCheckout(path) !== null;

/**
 * Where a path in a checkout leads that leads out of it through a link, or into a `.git` folder, which no commit can hold; null if it
 * does not. The path may be of something that does not exist yet.
 */
export function ledOutOfCheckout(path: string): string | null {
  const target = targetOf(path);
  for (let folder = dirname(path); dirname(folder) !== folder; folder = dirname(folder)) {
    if (!existsSync(join(folder, '.git'))) continue;
    const way = relative(realpathSync(folder), target);
    const isNamed = isInGit(relative(folder, path));
    if (!isInside(way) || (isInGit(way) && !isNamed)) return target;
  }
  return null;
}

// Where the path leads: only what exists can be a link.
function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(targetOf(dirname(path)), basename(path));
  }
}

function isInside(way: string): boolean {
  return way !== '..' && !way.startsWith(`..${sep}`);
}
