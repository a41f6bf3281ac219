// Writes a file atomically: to a temporary name first, then renamed. Streams are written directly.
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { ForeignFile, foreignText, isForeign, ownerIn } from './owners.ts';

/** Writes `text` to `path`, by default readable by its owner only, because plans and secrets are private. */
export async function writeWhole(
  path: string,
  text: string | Uint8Array,
  mode = 0o600,
): Promise<void> {
  const draft = `${path}.${randomUUID()}.part`;
  try {
    await writeDraft(draft, text, mode);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * Writes a new file. The file is on the disk before the promise resolves, because a full disk may cause an error only at that
 * point.
 */
export async function writeDraft(
  path: string,
  text: string | Uint8Array,
  mode: number,
): Promise<void> {
  const file = await open(path, 'wx', mode);
  await closedAfter(file, async () => {
    await file.writeFile(text);
    await file.sync();
  });
}

/** Writes `text` to a device or a pipe of this user or root, or appends it to the open file of a descriptor. */
export async function writeStream(
  path: string,
  text: string,
  { isDescriptor }: { readonly isDescriptor: boolean },
): Promise<void> {
  const { O_WRONLY, O_APPEND, O_NOCTTY = 0 } = constants;
  const file = await open(path, O_WRONLY | O_APPEND | O_NOCTTY);
  await closedAfter(file, async () => {
    // Somebody may have replaced the stream since it was examined. A descriptor needs no check, because it was opened by the user
    // who started the run.
    const owner = ownerIn(await file.stat());
    if (!isDescriptor && isForeign(owner)) throw new ForeignFile(foreignText(owner));
    await file.writeFile(text);
  });
}

async function closedAfter(file: FileHandle, use: () => Promise<void>): Promise<void> {
  try {
    await use();
  } finally {
    await file.close();
  }
}
