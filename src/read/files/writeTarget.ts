// What exists at a path that is to be written: nothing, a file, or a stream.
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
import { misleadingLink } from './misleading.ts';
import { foreignText, isForeign, type Owner, ownerIn } from './owners.ts';
import { standardStreamAt } from './standardStreams.ts';

/** The target of a write. */
export type WriteTarget =
  /** Nothing exists yet. */
  | { readonly is: 'new'; readonly path: string }
  /** A regular file, by its path without links. */
  | { readonly is: 'file'; readonly path: string }
  /** A device, a pipe, or a file that a parent process has opened. meshform writes to the stream and never replaces it. */
  | { readonly is: 'stream'; readonly path: string; readonly descriptor?: number }
  /**
   * `why` completes "… cannot be written: ". `isForeign`: another user of the machine has prepared the entry. `isOutput`: see
   * `standardStreamAt`.
   */
  | {
      readonly is: 'unusable';
      readonly why: string;
      readonly isForeign?: true;
      readonly isOutput?: true;
      /** See `misleadingLink`. */
      readonly target?: string;
    };

/** What exists at `path`, an absolute path. */
export function writeTargetAt(path: string): WriteTarget {
  const descriptor = descriptorOf(path);
  const isDirect = descriptor === 1 || descriptor === 2;
  const stream = isDirect ? undefined : standardStreamAt(path);
  if (stream !== undefined)
    return { is: 'unusable', why: `it is ${stream} as well`, isOutput: true };
  if (descriptor !== null) return { is: 'stream', path, descriptor };
  const misleading = misleadingLink(path);
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
    const isDangling = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return { is: 'unusable', why: isDangling ? 'it is a broken link' : reasonOf(error) };
  }
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
