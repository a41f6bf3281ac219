// Reads regular files only. Each file is opened once and read from its handle, so that a pipe cannot block a run, and a device
// cannot supply endless input.
import { isUtf8 } from 'node:buffer';
import {
  type BigIntStats,
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  openSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { type Owner, ownerIn } from './owners.ts';

/** The text of a file under the name that messages use. */
export interface FileText {
  readonly file: string;
  readonly text: string;
  /** The path of the file relative to the folder of desired state; absent if the file is outside. */
  readonly inside?: string;
  /** The name of the target, if the file is a link. */
  readonly leadsTo?: string;
  /** The layer of the file; absent if the run has a single layer. */
  readonly layer?: FileLayer;
}

/** A layer of a run. */
export interface FileLayer {
  /** The position of the layer among all layers, from 0. */
  readonly order: number;
  /** The path from the folder of the last layer to the folder of this layer; '' for the last layer. */
  readonly fromLastLayer: string;
}

/** The text of a file, or why it could not be read, in words that complete "… cannot be read: ". */
export type ReadFile =
  | { readonly text: string; readonly real?: string; readonly owner?: Owner }
  | { readonly why: string; readonly code?: string | undefined };

const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0, O_NOFOLLOW = 0 } = constants;

/** The text of the regular file at `path`; links are followed. */
export function readRegular(path: string): ReadFile {
  return readOpened(path, { flags: 0, isIt: () => true });
}

/** An open file. */
export interface Opened {
  /** The descriptor of the open file. */
  readonly file: number;
  readonly stats: BigIntStats;
}

/** The text of the regular file at a path without links. `isIt` confirms that the open file is the expected one. */
export function readUnlinked(path: string, isIt: (opened: Opened) => boolean): ReadFile {
  return readOpened(path, { flags: O_NOFOLLOW, isIt });
}

function readOpened(
  path: string,
  { flags, isIt }: { flags: number; isIt: (opened: Opened) => boolean },
): ReadFile {
  try {
    // Checked before opening, because even opening a device can have an effect.
    const special = specialFile(statSync(path, { bigint: true }));
    if (special !== null) return { why: special };
    const file = openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | flags);
    try {
      const stats = fstatSync(file, { bigint: true });
      if (!stats.isFile() || !isIt({ file, stats })) return { why: REPLACED, code: 'REPLACED' };
      return textOf(readFileSync(file), ownerIn(stats));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return { why: reasonOf(error), code: faultCode(error) };
  }
}

const REPLACED = 'it was replaced while it was read';

function textOf(bytes: Buffer, owner: Owner | undefined): ReadFile {
  if (!isUtf8(bytes)) return { why: 'it is not UTF-8 text' };
  return { text: bytes.toString('utf8'), ...(owner && { owner }) };
}

/** The type of an entry that is not a regular file, in words; null for a regular file. */
export function specialFile(stats: Pick<BigIntStats, 'isFile' | `is${Special}`>): string | null {
  if (stats.isFile()) return null;
  const found = SPECIAL.find(([is]) => stats[`is${is}`]());
  return `it is ${found?.[1] ?? 'not a regular file'}`;
}

const SPECIAL = [
  ['Directory', 'a folder'],
  ['FIFO', 'a pipe'],
  ['Socket', 'a socket'],
  ['CharacterDevice', 'a device'],
  ['BlockDevice', 'a device'],
] as const;

type Special = (typeof SPECIAL)[number][0];

/** The maximum size of a small file, in bytes: a token, or certificates. */
const SMALL = 1024 * 1024;

/** The text of a small file or a pipe, which is opened once and read to its end. */
export async function readSmall(path: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > SMALL) throw new Error('it is larger than 1 MB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The text of a regular file; null if it does not exist. Rejects if it cannot be read. */
export function readIfThere(path: string): Promise<string | null> {
  const read = readRegular(path);
  if ('text' in read) return Promise.resolve(read.text);
  const isAbsent = read.code === 'ENOENT' || read.code === 'ENOTDIR';
  return isAbsent ? Promise.resolve(null) : Promise.reject(new Error(read.why));
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ELOOP: 'its links form a loop',
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota of this user is exceeded',
  EFBIG: 'the file would be too large',
  EIO: 'the disk reported an error',
  EBUSY: 'it is in use by another process',
  EROFS: 'the file system is read-only',
  ENAMETOOLONG: 'its name is too long',
  EPIPE: 'the reader closed it',
  ENXIO: 'it cannot be opened',
  EEXIST: 'it already exists',
  ERR_INVALID_ARG_VALUE: 'its name contains a character that is not allowed',
  ERR_FS_FILE_TOO_LARGE: 'it is larger than 2 GB',
  ERR_STRING_TOO_LONG: 'it is larger than 512 MB',
  'Invalid string length': 'it is larger than 512 MB',
};

const NO_ROOM: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EPIPE']);

/** Whether a file could not be written because of a full or failing disk, and not because of its path. */
export const isOutOfRoom = (error: unknown): boolean => NO_ROOM.has(faultCode(error));

/** Why a file could not be read or written, in words. Completes "… cannot be read: ". */
export function reasonOf(error: unknown): string {
  return REASONS[faultCode(error)] ?? faultCode(error);
}

// The code of an error of the system; its message if it has no code.
function faultCode(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
