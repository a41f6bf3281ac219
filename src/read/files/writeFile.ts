// Writes a file whole or not at all: to a name beside it first, then in its place. What text only goes through is
// written to as it is.
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';

/** Writes `text` to `path`, by default readable by its owner alone: plans and secrets are nobody else's. */
export async function writeWhole(path: string, text: string, mode = 0o600): Promise<void> {
  const draft = `${path}.${randomUUID()}.part`;
  try {
    await writeDraft(draft, text, mode);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Writes a new file. It is on the disk before the promise resolves: a full one may tell only then. */
export async function writeDraft(path: string, text: string, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  await closedAfter(file, async () => {
    await file.writeFile(text);
    await file.sync();
  });
}

/** Writes `text` to a device or a pipe, or behind what a file that is open already holds. */
export async function writeStream(path: string, text: string): Promise<void> {
  const { O_WRONLY, O_APPEND, O_NOCTTY = 0 } = constants;
  const file = await open(path, O_WRONLY | O_APPEND | O_NOCTTY);
  await closedAfter(file, () => file.writeFile(text));
}

async function closedAfter(file: FileHandle, use: () => Promise<void>): Promise<void> {
  try {
    await use();
  } finally {
    await file.close();
  }
}
