// Appends to a file safely: the text is on the disk before the caller continues.
import {
  closeSync,
  constants,
  fstatSync,
  open as openDescriptor,
  type Stats,
  writeFile,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { ForeignFile, foreignText, isForeign, isOwn, ownerIn } from './owners.ts';

/**
 * Appends `text` to a file of this user that only its owner may read, and creates the file if necessary. Links are not followed. Rejects
 * with a `ForeignFile` for what somebody else may have prepared.
 */
export async function appendPrivately(path: string, text: string): Promise<void> {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;
  const flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
  const file = await open(path, flags, 0o600);
  await added(file, text, async () => {
    refuseShared(await file.stat());
    // An existing file may have been readable by others.
    await file.chmod(0o600);
  });
  await onDisk(dirname(path));
}

function refuseShared(stats: Stats): void {
  const owner = ownerIn(stats);
  if (owner && !isOwn(owner)) throw new ForeignFile(foreignText(owner));
  if (!stats.isFile()) throw new ForeignFile('it was replaced');
  if (stats.nlink > 1) throw new ForeignFile('it has another name as well');
}

const openNow = promisify(openDescriptor);
const writeNow = promisify(writeFile);

/**
 * Opens a device or a pipe for appending. It stays open until the process ends, because a reader of a pipe takes the
 * first end as the last. Rejects with a `ForeignFile` for one that neither this user nor root owns.
 */
export async function openStream(path: string): Promise<(text: string) => Promise<void>> {
  const { O_WRONLY, O_APPEND, O_NOCTTY = 0 } = constants;
  const descriptor = await openNow(path, O_WRONLY | O_APPEND | O_NOCTTY);
  const owner = ownerIn(fstatSync(descriptor));
  if (isForeign(owner)) {
    closeSync(descriptor);
    throw new ForeignFile(foreignText(owner));
  }
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
