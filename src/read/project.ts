// Finds the project file: beside its files, or above them, up to the root of their repository.
import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readConfined } from './files/confined.ts';
import type { FileText } from './files/fileText.ts';

/** A file that exists and cannot be read, and why, in words that complete "… cannot be read: ". */
export interface UnreadableFile {
  readonly file: string;
  readonly text?: undefined;
  readonly why: string;
}

/**
 * The nearest file called `name` from `path` upwards; null if there is none up to the root of the repository. If `path`
 * is a link and nothing is found above it, its target is tried.
 */
export function findUpwards(path: string, name: string): Promise<FileText | UnreadableFile | null> {
  const folder = folderOf(path);
  const real = realOf(folder);
  const found = upwardsFrom(folder, name);
  return Promise.resolve(found ?? (real === folder ? null : upwardsFrom(real, name)));
}

function upwardsFrom(path: string, name: string): FileText | UnreadableFile | null {
  for (let folder = path; ; folder = dirname(folder)) {
    const file = join(folder, name);
    if (mayBeThere(file)) {
      const read = readConfined(realOf(folder), file);
      return 'text' in read ? { file, text: read.text } : { file, why: read.why };
    }
    if (existsSync(join(folder, '.git')) || dirname(folder) === folder) return null;
  }
}

// An unreadable file may exist: without it the files would lose their guards.
function mayBeThere(file: string): boolean {
  try {
    return !lstatSync(file).isDirectory();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}

/** The folder `path`, or the folder that contains it; a parent of it if the system cannot read it. */
export function folderOf(path: string): string {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? dirname(path) : path;
  } catch {
    return dirname(path);
  }
}

/** `path` with its links resolved; unchanged if it does not exist. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
