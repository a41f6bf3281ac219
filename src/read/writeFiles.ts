// Writes several files, all of them or none: drafts beside them first, then one after the other in its place.
import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readIfThere } from './fileText.ts';

/** A file to write: its path, and its text. */
export interface FileToWrite {
  readonly path: string;
  readonly text: string;
}

/**
 * Writes the files, making folders that are missing. Where one cannot be written, those that were are put back as they
 * were, and what went wrong is thrown.
 */
export async function writeAll(files: readonly FileToWrite[]): Promise<void> {
  const drafts = files.map(file => ({ ...file, draft: `${file.path}.${randomUUID()}.part` }));
  const done: { path: string; before: string | null }[] = [];
  const folders: string[] = [];
  try {
    for (const { path, draft, text } of drafts) {
      const made = await mkdir(dirname(path), { recursive: true });
      if (made !== undefined) folders.push(made);
      await writeFile(draft, text);
    }
    for (const { path, draft } of drafts) {
      const before = await readIfThere(path);
      await rename(draft, path);
      done.push({ path, before });
    }
  } catch (error) {
    for (const { draft } of drafts) await rm(draft, { force: true });
    for (const { path, before } of done) {
      if (before === null) await rm(path, { force: true });
      else await writeFile(path, before);
    }
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
