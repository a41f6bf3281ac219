// Files that fields may be filled from: inside the folder of desired state, links followed, and nowhere else.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { locate, readConfined } from './confined.ts';
import type { ReadFile } from './fileText.ts';

/** Reads files inside `folder` by their paths from it; undefined for what is not there or not inside. */
export function fileInputs(folder: string): (path: string) => string | undefined {
  const read = filesOf(folder);
  return path => {
    const found = read(path);
    return 'text' in found ? found.text : undefined;
  };
}

/** Why a file of that path is there and never read, in words: it is outside `folder`, or no regular file. */
export function unusableFiles(folder: string): (path: string) => string | undefined {
  const read = filesOf(folder);
  return path => {
    const found = read(path);
    return 'text' in found || PASSING.has(found.code ?? '') ? undefined : found.why;
  };
}

// What is not there, or not for this user, may be at another time or in another job.
const PASSING: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM']);

/** Where the file really is that `path` from `folder` names; undefined where it cannot be read from there. */
export function fileInside(folder: string, path: string): string | undefined {
  const home = homeOf(folder);
  if (home === null || !('text' in readConfined(home, join(home, path)))) return undefined;
  const found = locate(home, join(home, path));
  return 'real' in found ? found.real : undefined;
}

// A link to the folder is followed once: all files are those of one folder.
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
