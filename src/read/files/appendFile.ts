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
import {
  ForeignFile,
  foreignText,
  isForeign,
  isOwn,
  OpenFile,
  type Owner,
  ownerIn,
} from './owners.ts';

/**
 * Appends `text` to a file of this user that only its owner may read, and creates the file if necessary. Links are not followed.
 * Rejects with a `ForeignFile` if another user may have prepared the file, and with an `OpenFile` if others may read it.
 */
export async function appendPrivately(path: string, text: string): Promise<void> {
  const file = await openPrivately(path);
  await added(file, text, async () => refuseShared(path, await file.stat()));
  await onDisk(dirname(path));
}

async function openPrivately(path: string): Promise<FileHandle> {
  const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const flags = O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | NO_TERMINAL;
  try {
    return await open(path, flags);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    // Only a file that this process creates is certain never to have been open to others: a process that has opened a file can
    // keep using it, whatever its permissions become.
    return await open(path, flags | O_CREAT | O_EXCL, 0o600);
  }
}

const { O_NOCTTY: NO_TERMINAL = 0 } = constants;

/**
 * Throws a `ForeignFile` for a file that does not belong to this user alone or has another hard
 * link, and an `OpenFile` if others may read it.
 */
export function refuseShared(path: string, stats: Stats): void {
  const owner = ownerIn(stats);
  if (owner && !isOwn(owner)) throw new ForeignFile(foreignText(owner));
  if (!stats.isFile()) throw new ForeignFile('it was replaced');
  if (stats.nlink > 1) throw new ForeignFile('it has another hard link');
  refuseOpen(path, stats);
}

/**
 * Throws an `OpenFile` for a file that others may read or write, and for a pipe that others may read. Devices are accepted,
 * because they store nothing.
 */
export function refuseOpen(path: string, stats: Stats): void {
  const owner = ownerIn(stats);
  if (owner === undefined) return;
  const others = stats.isFile() ? 0o066 : 0o044;
  if ((stats.isFile() || stats.isFIFO()) && (owner.mode & others) !== 0)
    throw new OpenFile(path, owner);
}

const openNow = promisify(openDescriptor);
const writeNow = promisify(writeFile);

/**
 * Opens a device or a pipe, and returns a function that appends to it. The stream stays open until the process ends, because the
 * reader of a pipe stops when it is closed for the first time. Rejects with a `ForeignFile` if neither this user nor root owns
 * the stream, or if the file has another name, and with an `OpenFile` if others may read it.
 */
export async function openStream(path: string): Promise<(text: string) => Promise<void>> {
  const descriptor = await openNow(path, constants.O_WRONLY | constants.O_APPEND | NO_TERMINAL);
  try {
    refuseStream(path, fstatSync(descriptor));
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  return text => writeNow(descriptor, text);
}

/** Throws the errors of `openStream`. */
export function refuseStream(path: string, stats: Stats): void {
  refuseForeign(stats);
  if (stats.isFile() && stats.nlink > 1) throw new ForeignFile('it has another hard link');
  refuseOpen(path, stats);
}

function refuseForeign(stats: Stats, other?: Owner): void {
  const owner = ownerIn(stats);
  if (isForeign(owner, other)) throw new ForeignFile(foreignText(owner));
}

/**
 * Appends `text` to a file of this user, of root or of the user `other`. The owner decides who may read the file. Links are not
 * followed. Rejects with a `ForeignFile` for a file of another user.
 */
export async function append(path: string, text: string, other?: Owner): Promise<void> {
  const { O_WRONLY, O_APPEND, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const file = await open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | NO_TERMINAL);
  await added(file, text, async () => {
    const stats = await file.stat();
    refuseForeign(stats, other);
    if (!stats.isFile()) throw new Error('it is not a regular file');
  });
}

async function added(file: FileHandle, text: string, before: () => Promise<void>): Promise<void> {
  try {
    await before();
    await file.appendFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

// After a crash, a new file exists only if its folder was also synced.
async function onDisk(folder: string): Promise<void> {
  const opened = await open(folder, constants.O_RDONLY);
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}
