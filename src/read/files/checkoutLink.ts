// Links in a checkout that lead out of it. A commit can have put one where a command writes.
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';

/** Whether a path in a checkout leads out of it through a link; the path may be of something that does not exist yet. */
export function leadsOutOfCheckout(path: string): boolean {
  const target = targetOf(path);
  for (let folder = dirname(path); dirname(folder) !== folder; folder = dirname(folder))
    if (existsSync(join(folder, '.git')) && !isInside(realpathSync(folder), target)) return true;
  return false;
}

// Where the path leads: only what exists can be a link.
function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(targetOf(dirname(path)), basename(path));
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`);
}
