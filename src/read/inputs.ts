// Files that fields may be filled from: inside the folder of desired state, links followed, and nowhere else.
import { readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';

/** Reads files inside `folder` by their paths from it; undefined for what is not there or not inside. */
export function fileInputs(folder: string): (path: string) => string | undefined {
  return path => {
    try {
      const file = fileInside(folder, path);
      return file === undefined ? undefined : readFileSync(file, 'utf8');
    } catch {
      return undefined;
    }
  };
}

/** Where the file really is that `path` from `folder` names; undefined where it is not there or not inside. */
export function fileInside(folder: string, path: string): string | undefined {
  try {
    const home = realpathSync(folder);
    const file = realpathSync(join(home, path));
    return isInside(relative(home, file)) ? file : undefined;
  } catch {
    return undefined;
  }
}

// Git's own folder holds the credentials that a pipeline checked the files out with.
function isInside(way: string): boolean {
  const parts = way.split(sep);
  return (
    way !== '' &&
    !isAbsolute(way) &&
    parts[0] !== '..' &&
    !parts.some(part => part.toLowerCase() === '.git')
  );
}
