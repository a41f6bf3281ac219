// Paths in messages.
import { isAbsolute, relative, sep } from 'node:path';

/** `path` as it is written from the folder `cwd`: relative if it is inside. */
export function nearPath(cwd: string, path: string): string {
  const near = relative(cwd, path);
  return near === '..' || near.startsWith(`..${sep}`) || isAbsolute(near) ? path : near;
}
