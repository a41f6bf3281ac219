// Finds the project files: beside the files they are for, and above them, up to the root of their repository.
import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readConfined } from './confined.ts';
import { type FileText, readRegular } from './fileText.ts';

/** A file that exists and cannot be read, and why, in words that complete "… cannot be read: ". */
interface UnreadableFile {
  readonly file: string;
  readonly text?: undefined;
  readonly why: string;
}

/** A project file, or why it cannot be read. */
export type FoundFile = FileText | UnreadableFile;

/**
 * The nearest file called `name` from `path` upwards; null if there is none up to the root of the repository. If `path`
 * is a link and nothing is found above it, its target is tried.
 */
export async function findUpwards(path: string, name: string): Promise<FoundFile | null> {
  return (await findAllUpwards(path, name))[0] ?? null;
}

/** All files called `name` from `path` upwards to the root of the repository, the nearest first; found as by `findUpwards`. */
export function findAllUpwards(path: string, name: string): Promise<readonly FoundFile[]> {
  const folder = folderOf(path);
  const real = realOf(folder);
  const found = upwardsFrom(folder, name);
  return Promise.resolve(found.length > 0 || real === folder ? found : upwardsFrom(real, name));
}

function upwardsFrom(path: string, name: string): FoundFile[] {
  const found: FoundFile[] = [];
  for (let folder = path; ; folder = dirname(folder)) {
    const file = join(folder, name);
    if (mayBeThere(file)) found.push(fileIn(folder, file));
    if (isRootOfRepository(folder) || dirname(folder) === folder) return found;
  }
}

// A submodule is a part of the repository around it, and a commit there decides that it is one: the guards of the files above it hold.
function isRootOfRepository(folder: string): boolean {
  const entry = join(folder, '.git');
  if (!existsSync(entry)) return false;
  const file = readRegular(entry);
  return !('text' in file && /^gitdir: .*[\\/]modules[\\/]/.test(file.text));
}

function fileIn(folder: string, file: string): FoundFile {
  const read = readConfined(realOf(folder), file);
  return 'text' in read ? { file, text: read.text } : { file, why: read.why };
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
