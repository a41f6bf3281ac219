// Files that fields may use: inside the folder of desired state, links followed, and nowhere else.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { locate, readConfined } from './confined.ts';
import type { ReadFile } from './fileText.ts';

/** Reads files inside `folder` by their paths; undefined for a file that does not exist or is outside. */
export function fileInputs(folder: string): (path: string) => string | undefined {
  const read = filesOf(folder);
  return path => {
    const found = read(path);
    return 'text' in found ? found.text : undefined;
  };
}

/** Why a file exists and is never read, in words: it is outside `folder`, or not a regular file. */
export function unusableFiles(folder: string): (path: string) => string | undefined {
  const read = filesOf(folder);
  return path => {
    const found = read(path);
    return 'text' in found || PASSING.has(found.code ?? '') ? undefined : found.why;
  };
}

// A file that is missing, or not readable for this user, may be readable at another time or in another job.
const PASSING: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM']);

/** The real path of the file `path` in `folder`; undefined if it cannot be read from there. */
export function fileInside(folder: string, path: string): string | undefined {
  const home = homeOf(folder);
  if (home === null || !('text' in readConfined(home, join(home, path)))) return undefined;
  const found = locate(home, join(home, path));
  return 'real' in found ? found.real : undefined;
}

// A link to the folder is resolved once, so that all files are from one folder.
function filesOf(folder: string): (path: string) => ReadFile {
  const home = homeOf(folder);
  if (home === null) return () => ({ why: 'its folder does not exist', code: 'ENOENT' });
  return path => readConfined(home, join(home, path));
}

function homeOf(folder: string): string | null {
  try {
    return realpathSync(folder);
  } catch {
    return null;
  }
}
