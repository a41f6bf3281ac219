// The one rule for every place that a command is told to write: what exists there, and whether it may be written. docs/security.md
// states the rule for users.
import {
  type BigIntStats,
  fstatSync,
  lstatSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { reasonOf, specialFile } from './fileText.ts';
import { type Misleading, misleadingWay } from './misleading.ts';
import { ForeignFile, foreignText, isForeign, type Owner, ownerIn } from './owners.ts';
import { standardStreamAt } from './standardStreams.ts';

/** The target of a write. */
export type WriteTarget =
  /** Nothing exists yet. */
  | { readonly is: 'new'; readonly path: string }
  /** A regular file, by its path without links. */
  | { readonly is: 'file'; readonly path: string }
  /** A device, a pipe, or a file that a parent process has opened. meshform writes to the stream and never replaces it. */
  | { readonly is: 'stream'; readonly path: string; readonly descriptor?: number }
  | UnusablePlace;

/** A place where nothing may be written. */
export interface UnusablePlace extends Misleading {
  readonly is: 'unusable';
  /** See `standardStreamAt`. */
  readonly isOutput?: true;
}

/** The target of a write that replaces a whole file. */
export type WholeTarget = Exclude<WriteTarget, { is: 'stream' }>;

/** The folder for files that a command writes: one that exists, by its path without links, or one that is to be made. */
export type FolderTarget = { readonly is: 'new' | 'folder'; readonly path: string } | UnusablePlace;

/** The error for a path that a link leads out of its checkout. Nothing was written there. */
export class MisleadingLink extends Error {
  override readonly name = 'MisleadingLink';
  /** A user who intends to write there can name the target instead. */
  readonly target: string;

  constructor(why: string, target: string) {
    super(why);
    this.target = target;
  }
}

/** Returns a place that may be written; throws `errorOf` any other place. */
export function usable<T extends WriteTarget | FolderTarget>(place: T): Exclude<T, UnusablePlace> {
  if (place.is === 'unusable') throw errorOf(place);
  return place as Exclude<T, UnusablePlace>;
}

/**
 * The error for a place: a `ForeignFile` if another user has prepared it, a `MisleadingLink` if a link leads it out of its checkout,
 * otherwise an `Error`.
 */
export function errorOf({ why, isForeign, target }: UnusablePlace): Error {
  if (isForeign) return new ForeignFile(why);
  return target === undefined ? new Error(why) : new MisleadingLink(why, target);
}

/** What exists at `path`, an absolute path, if only a regular file may be written there. */
export function wholeTargetAt(path: string): WholeTarget {
  const place = writeTargetAt(path);
  return place.is === 'stream' ? { is: 'unusable', why: 'it is not a regular file' } : place;
}

/** What exists at `path`, an absolute path, if a folder is wanted there. */
export function folderTargetAt(path: string): FolderTarget {
  const misleading = misleadingWay(path);
  if (misleading !== null) return { is: 'unusable', ...misleading };
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return { is: 'new', path };
    if (statSync(path).isDirectory()) return { is: 'folder', path: realpathSync(path) };
    return { is: 'unusable', why: 'it is not a folder' };
  } catch (error) {
    return unexamined(error);
  }
}

/** What exists at `path`, an absolute path. */
export function writeTargetAt(path: string): WriteTarget {
  const descriptor = descriptorOf(path);
  const isDirect = descriptor === 1 || descriptor === 2;
  const stream = isDirect ? undefined : standardStreamAt(path);
  if (stream !== undefined)
    return { is: 'unusable', why: `it is ${stream} as well`, isOutput: true };
  if (descriptor !== null) return { is: 'stream', path, descriptor };
  const misleading = misleadingWay(path);
  if (misleading !== null) return { is: 'unusable', ...misleading };
  try {
    const own = lstatSync(path, { throwIfNoEntry: false, bigint: true });
    if (own === undefined) return { is: 'new', path };
    // A link to a pipe of this process has no real path.
    const stats = statSync(path, { bigint: true });
    const foreign = foreignOwner(path, stats);
    if (foreign) return { is: 'unusable', why: foreignText(foreign), isForeign: true };
    if (stats.isFile()) return { is: 'file', path: realpathSync(path) };
    const isStream = stats.isFIFO() || stats.isCharacterDevice();
    return isStream
      ? { is: 'stream', path }
      : { is: 'unusable', why: specialFile(stats) ?? 'it is not a regular file' };
  } catch (error) {
    return unexamined(error);
  }
}

function unexamined(error: unknown): UnusablePlace {
  const isDangling = (error as NodeJS.ErrnoException).code === 'ENOENT';
  return { is: 'unusable', why: isDangling ? 'it is a broken link' : reasonOf(error) };
}

// The owner if the entry at the path must not be written because it belongs to another user. This user and root may own it. A
// file may also belong to the owner of its folder, as in a checkout of another user, because such a file is replaced by a new
// file instead of being written.
function foreignOwner(path: string, target: BigIntStats): Owner | undefined {
  const owner = ownerIn(target);
  if (!isForeign(owner)) return undefined;
  const isReplaced =
    target.isFile() && !isForeign(owner, ownerIn(statSync(dirname(realpathSync(path)))));
  return isReplaced ? undefined : owner;
}

const NAMES: ReadonlyMap<string, number> = new Map([
  ['/dev/stdin', 0],
  ['/dev/stdout', 1],
  ['/dev/stderr', 2],
]);

// The number of the open descriptor that a path denotes, otherwise null. A descriptor needs special
// treatment, because its file may contain text before and after the current position.
function descriptorOf(path: string): number | null {
  const [, number] = path.match(/^\/(?:dev|proc\/self)\/fd\/(\d+)$/) ?? [];
  return NAMES.get(path) ?? (number === undefined ? null : Number(number));
}

/** The path of the file behind a descriptor, without links; undefined if the file has no path, or if the system does not tell. */
export function fileBehind(descriptor: number): string | undefined {
  try {
    const path = readlinkSync(`/proc/self/fd/${descriptor}`);
    const named = statSync(path, { bigint: true });
    const opened = fstatSync(descriptor, { bigint: true });
    return named.dev === opened.dev && named.ino === opened.ino ? path : undefined;
  } catch {
    return undefined;
  }
}
