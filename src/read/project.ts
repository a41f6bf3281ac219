// Finds the project file: beside the files it is for, or above them, up to the root of their repository.
import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readConfined } from './files/confined.ts';
import type { FileText } from './files/fileText.ts';

/** A file that is there and cannot be read, and why, in words that complete "… cannot be read: ". */
export interface UnreadableFile {
  readonly file: string;
  readonly text?: undefined;
  readonly why: string;
}

/**
 * The nearest file called `name` from `path` upwards; null where there is none below the repository's root. A path that
 * is a link is followed where nothing is found from the link upwards.
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

// What cannot be looked at may be there: without it the files would lose their guards.
function mayBeThere(file: string): boolean {
  try {
    return !lstatSync(file).isDirectory();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}

/** The folder that `path` is, or lies in; above it, where the system cannot even look for it. */
export function folderOf(path: string): string {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? dirname(path) : path;
  } catch {
    return dirname(path);
  }
}

/** `path` without links in it; as it is where it does not exist. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
