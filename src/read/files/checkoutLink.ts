// Finds links in a checkout that lead out of it, or into a folder that no commit can contain. A commit can place such a link
// where a command writes.
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { isInGit } from './confined.ts';

/** Why nothing is written at a place. Completes "… cannot be written: ". */
export const LEADS_OUT = 'through a link, it leads out of the checkout or into its .git';

/**
 * The target of a path in a checkout, if a link leads the path out of the checkout or into a `.git` folder, which no commit can
 * contain; null otherwise. The path need not exist yet.
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

// Resolves the part of the path that exists, because only existing entries can be links.
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
