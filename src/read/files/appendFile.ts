// Adds to a file so that it is there whatever happens next: what is added is on the disk before anything goes on.
import { constants, open as openDescriptor, writeFile } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/** Adds `text` to a file that nobody but its owner may read, and makes it if it is not there. Links are not followed. */
export async function appendPrivately(path: string, text: string): Promise<void> {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;
  const file = await open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  // One that was there may have been open to all.
  await added(file, text, () => file.chmod(0o600));
  await onDisk(dirname(path));
}

const [openNow, writeNow] = [promisify(openDescriptor), promisify(writeFile)];

/**
 * Opens a device or a pipe that text is added to. It stays open until the process ends: whoever reads a pipe would
 * take its first end for the last.
 */
export async function openStream(path: string): Promise<(text: string) => Promise<void>> {
  const { O_WRONLY, O_APPEND, O_NOCTTY = 0 } = constants;
  const descriptor = await openNow(path, O_WRONLY | O_APPEND | O_NOCTTY);
  return text => writeNow(descriptor, text);
}

/** Adds `text` to a file that belongs to somebody else, who decides who may read it. */
export async function append(path: string, text: string): Promise<void> {
  await added(await open(path, constants.O_WRONLY | constants.O_APPEND), text);
}

async function added(
  file: FileHandle,
  text: string,
  before: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  try {
    await before();
    await file.appendFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

// A new file is there after a crash only once its folder is written too.
async function onDisk(folder: string): Promise<void> {
  const opened = await open(folder, constants.O_RDONLY);
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}
