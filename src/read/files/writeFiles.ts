// Writes several files, all of them or none: temporary files first, then each is renamed.
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { chmod, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readIfThere } from './fileText.ts';
import { makeFolder } from './makeFolder.ts';
import { writeDraft, writeWhole } from './writeFile.ts';
import { usable, wholeTargetAt } from './writeTarget.ts';

/** The path and the text of a file to write. */
export interface FileToWrite {
  readonly path: string;
  readonly text: string;
}

interface Draft extends FileToWrite {
  readonly draft: string;
  readonly mode: number;
}

/**
 * Writes the files, and creates missing folders. If a path is a link, its target is written and the link stays. If a file cannot
 * be written, the files already written are restored, and the error is thrown. Throws the errors of `usable` before anything is written.
 */
export async function writeAll(files: readonly FileToWrite[]): Promise<void> {
  const drafts = files.map(draftOf);
  const done: { file: Draft; before: string | null }[] = [];
  const folders: string[] = [];
  try {
    for (const { path, draft, text, mode } of drafts) {
      const made = await makeFolder(dirname(path));
      if (made !== undefined) folders.push(made);
      await writeDraft(draft, text, 0o666);
      if (mode !== 0) await chmod(draft, mode);
    }
    for (const file of drafts) {
      const before = await readIfThere(file.path);
      await rename(file.draft, file.path);
      done.push({ file, before });
    }
  } catch (error) {
    for (const { draft } of drafts) await rm(draft, { force: true });
    for (const { file, before } of done) await putBack(file, before);
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

// The draft of a file with the permissions of the existing file; zero if there is no file yet.
function draftOf({ path, text }: FileToWrite): Draft {
  const { is, path: real } = usable(wholeTargetAt(path));
  const mode = is === 'new' ? 0 : statSync(real).mode & 0o777;
  return { path: real, text, draft: `${real}.${randomUUID()}.part`, mode };
}

async function putBack({ path, mode }: Draft, before: string | null): Promise<void> {
  if (before === null) return rm(path, { force: true });
  await writeWhole(path, before);
  await chmod(path, mode);
}
