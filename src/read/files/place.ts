// What exists at a path to write to: nothing, a file, or a stream.
import { lstatSync, realpathSync, statSync } from 'node:fs';
import { leadsOutOfCheckout } from './checkoutLink.ts';
import { reasonOf, specialFile } from './fileText.ts';

/** The target of a write. */
export type Place =
  /** Nothing exists yet. */
  | { readonly is: 'new'; readonly path: string }
  /** A regular file, by its path without links. */
  | { readonly is: 'file'; readonly path: string }
  /** A device, a pipe, or a file that a parent process has opened: it is written to, and never replaced. */
  | { readonly is: 'stream'; readonly path: string; readonly descriptor?: number }
  /** Completes "… cannot be written: ". */
  | { readonly is: 'unusable'; readonly why: string };

/** What exists at `path`, an absolute path. */
export function placeAt(path: string): Place {
  const descriptor = descriptorOf(path);
  if (descriptor !== null) return { is: 'stream', path, descriptor };
  if (leadsOutOfCheckout(path))
    return { is: 'unusable', why: 'it leads out of the checkout through a link' };
  try {
    const own = lstatSync(path, { throwIfNoEntry: false, bigint: true });
    if (own === undefined) return { is: 'new', path };
    // A link to a pipe of this process has no real path.
    const stats = statSync(path, { bigint: true });
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

const NAMES: ReadonlyMap<string, number> = new Map([
  ['/dev/stdin', 0],
  ['/dev/stdout', 1],
  ['/dev/stderr', 2],
]);

// Such a path stands for an open descriptor: a file behind it may have text before and after.
function descriptorOf(path: string): number | null {
  const [, number] = path.match(/^\/(?:dev|proc\/self)\/fd\/(\d+)$/) ?? [];
  return NAMES.get(path) ?? (number === undefined ? null : Number(number));
}
