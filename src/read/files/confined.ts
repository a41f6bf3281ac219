// Reads files inside one folder and nowhere else: links are followed as far as they stay in it.
import { type BigIntStats, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { type Opened, type ReadFile, readUnlinked, reasonOf } from './fileText.ts';

/** Why a file outside the folder is not read. */
export const LEADS_OUT = 'it points outside the folder';
const IN_GIT = 'it is inside a .git folder';

/** A volume may exchange a file between two looks at it; whoever does so again and again is up to something. */
const ATTEMPTS = 4;

/**
 * The text of the regular file that `path` really is, if that lies below `home`, a folder without links in its path.
 * The file is opened once, and read only if the opened file is the one that was looked at.
 */
export function readConfined(home: string, path: string): ReadFile {
  let read: ReadFile = { why: '' };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const found = locate(home, path);
    if ('why' in found) return found;
    read = readUnlinked(found.real, opened => isStill(found.real, opened));
    if ('text' in read || !CHANGED.has(read.code ?? '')) return read;
  }
  return read;
}

/** What opening a path tells that was there and without links a moment before. */
const CHANGED: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'REPLACED']);

/** Where a path inside `home` really leads, or why what it leads to is not read. */
export function locate(
  home: string,
  path: string,
): { readonly real: string } | { readonly why: string; readonly code?: string } {
  try {
    const real = realpathSync(path);
    const way = relative(home, real);
    if (way === '' || isAbsolute(way) || way.split(sep)[0] === '..') return { why: LEADS_OUT };
    // It holds the credentials that a pipeline checked the files out with.
    return way.split(sep).some(isGitFolder) ? { why: IN_GIT } : { real };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { why: reasonOf(error), ...(code !== undefined && { code }) };
  }
}

// Some file systems do not tell capitals from small letters, some have a short name for it, some pass over characters
// that have no width.
function isGitFolder(part: string): boolean {
  const name = part.replaceAll(/[\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu, '');
  return /^(?:\.git|git~\d+)[. ]*$/i.test(name);
}

// A part of the path may have become a link after it was resolved: what is open then is another file.
function isStill(real: string, { file, stats }: Opened): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${file}`) === real;
  } catch {
    return isAt(real, stats);
  }
}

// Not every system tells what is open.
function isAt(real: string, { dev, ino }: BigIntStats): boolean {
  try {
    if (realpathSync(real) !== real) return false;
    const now = lstatSync(real, { bigint: true });
    return now.isFile() && now.dev === dev && now.ino === ino;
  } catch {
    return false;
  }
}
