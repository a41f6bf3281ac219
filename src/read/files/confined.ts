// Reads only files inside one folder. A link is followed if its target is inside.
import { type BigIntStats, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { type Opened, type ReadFile, readUnlinked, reasonOf } from './fileText.ts';

/** Why a file outside the folder is not read. */
export const LEADS_OUT = 'it points outside the folder';
const NOT_YAML = 'it is a link to a file whose name does not end in .yaml or .yml';
const IN_GIT = 'it is inside a .git folder';

/** A volume may replace a file between two checks; more replacements than these are suspicious. */
const ATTEMPTS = 4;

/**
 * The text of the regular file at the real path of `path`, if that is below `home`, a folder without links in its path.
 * The file is opened once, and read only if the opened file is the one that was checked.
 */
export function readConfined(home: string, path: string): ReadFile {
  let read: ReadFile = { why: '' };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const found = locate(home, path);
    if ('why' in found) return found;
    read = readUnlinked(found.real, opened => isStill(found.real, opened));
    if ('text' in read) return { ...read, real: found.real };
    if (!CHANGED.has(read.code ?? '')) return read;
  }
  return read;
}

/** The error codes that opening a path gives if the path was replaced after it was resolved. */
const CHANGED: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'REPLACED']);

/** The real path of a path inside `home`, or why it is not read. */
export function locate(
  home: string,
  path: string,
): { readonly real: string } | { readonly why: string; readonly code?: string } {
  try {
    const real = realpathSync(path);
    const way = relative(home, real);
    if (way === '' || isAbsolute(way) || way.split(sep)[0] === '..') return { why: LEADS_OUT };
    // A git folder may contain the credentials with which a pipeline checked out the files.
    if (isInGit(way)) return { why: IN_GIT };
    // A link to a file that is not YAML is not followed: a file beside the desired state may contain secrets, and errors quote
    // the content of files that are read.
    return isYaml(path) && !isYaml(real) ? { why: NOT_YAML } : { real };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { why: reasonOf(error), ...(code !== undefined && { code }) };
  }
}

const isYaml = (path: string): boolean => /\.ya?ml$/i.test(path);

/** Whether a path leads to a file whose name is not that of desired state. Such a file may contain secrets. */
export const isOtherFile = (path: string): boolean =>
  !isYaml(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Whether a part of a path is the name of a git folder. */
export const isInGit = (way: string): boolean => way.split(sep).some(isGitFolder);

// Some file systems ignore case, some have a short name for `.git`, and some ignore characters without width.
function isGitFolder(part: string): boolean {
  const name = part.replaceAll(/[\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu, '');
  return /^(?:\.git|git~\d+)[. ]*$/i.test(name);
}

// Whether the open file is still the file at the resolved path. A part of the path may have become a link after the path was
// resolved.
function isStill(real: string, { file, stats }: Opened): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${file}`) === real;
  } catch {
    return isAt(real, stats);
  }
}

// Compares device and inode, because not every system can tell the path of an open file.
function isAt(real: string, { dev, ino }: BigIntStats): boolean {
  try {
    if (realpathSync(real) !== real) return false;
    const now = lstatSync(real, { bigint: true });
    return now.isFile() && now.dev === dev && now.ino === ino;
  } catch {
    return false;
  }
}
