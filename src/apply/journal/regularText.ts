// Reads files that somebody else may have named or replaced. It reads only regular files, never
// waits, and reads no more than the size of the file.
import { constants as bufferLimits } from 'node:buffer';
import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { specialFile } from '../../read/files/fileText.ts';

const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants;

/** The error code for a text that is longer than the longest possible string. */
const TOO_LONG = 'ERR_STRING_TOO_LONG';

/**
 * The text of a regular file. Rejects with an error of the system, or with the type of the file if
 * it is not regular.
 */
export async function regularText(path: string): Promise<string> {
  // Checked before opening, because even opening a device can have an effect.
  const special = specialFile(await stat(path));
  if (special !== null) throw new Error(special);
  const file = await open(path, O_RDONLY | O_NONBLOCK | (O_NOCTTY ?? 0));
  try {
    return await openedText(file);
  } finally {
    await file.close();
  }
}

/**
 * The text of an open file, from its beginning. A device or system file that reports no size counts
 * as empty, because reading it may never end.
 */
export async function openedText(file: FileHandle): Promise<string> {
  const stats = await file.stat();
  const special = specialFile(stats);
  if (special !== null) throw new Error(special);
  // A longer file is not read at all, because no string can contain its text.
  if (stats.size > bufferLimits.MAX_STRING_LENGTH)
    throw Object.assign(new Error(TOO_LONG), { code: TOO_LONG });
  const bytes = Buffer.alloc(stats.size);
  let read = 0;
  while (read < bytes.length) {
    const { bytesRead } = await file.read(bytes, read, bytes.length - read, read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return bytes.toString('utf8', 0, read);
}
