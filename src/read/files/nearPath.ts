// Paths in messages.
import { isAbsolute, relative, sep } from 'node:path';

/** `path` as a user would write it in the folder `cwd`: relative if it is inside. */
export function nearPath(cwd: string, path: string): string {
  const near = relative(cwd, path);
  return near === '..' || near.startsWith(`..${sep}`) || isAbsolute(near) ? path : near;
}
