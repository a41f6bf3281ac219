// Finds the project file: beside the files it is for, or above them, up to the root of their repository.
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type FileText, readIfThere } from './fileText.ts';

/** The nearest file called `name` from `path` upwards; null where there is none below the repository's root. */
export async function findUpwards(path: string, name: string): Promise<FileText | null> {
  for (let folder = folderOf(path); ; folder = dirname(folder)) {
    const file = join(folder, name);
    const text = await readIfThere(file);
    if (text !== null) return { file, text };
    if (existsSync(join(folder, '.git')) || dirname(folder) === folder) return null;
  }
}

/** The folder that `path` is, or lies in. */
export function folderOf(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? dirname(path) : path;
}
