// Appends to a file safely: the text is on the disk before the caller continues.
import { constants, open as openDescriptor, writeFile } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/** Appends `text` to a file that only its owner may read, and creates the file if necessary. Links are not followed. */
export async function appendPrivately(path: string, text: string): Promise<void> {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;
  const file = await open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  // An existing file may have been readable by others.
  await added(file, text, () => file.chmod(0o600));
  await onDisk(dirname(path));
}

const openNow = promisify(openDescriptor);
const writeNow = promisify(writeFile);

/**
 * Opens a device or a pipe for appending. It stays open until the process ends, because a reader of a pipe takes the
 * first end as the last.
 */
export async function openStream(path: string): Promise<(text: string) => Promise<void>> {
  const { O_WRONLY, O_APPEND, O_NOCTTY = 0 } = constants;
  const descriptor = await openNow(path, O_WRONLY | O_APPEND | O_NOCTTY);
  return text => writeNow(descriptor, text);
}

/** Appends `text` to a file of another owner, who decides who may read it. */
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

// After a crash, a new file exists only if its folder was synced too.
async function onDisk(folder: string): Promise<void> {
  const opened = await open(folder, constants.O_RDONLY);
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}
