// A file of this user that another part of the program opens and writes itself, such as a database: nobody else can read it, or put
// another file in its place.
import { closeSync, constants, lstatSync, openSync } from 'node:fs';
import { refuseShared } from './appendFile.ts';
import { ForeignFile } from './owners.ts';
import { usable, wholeTargetAt } from './writeTarget.ts';

/** The target of a file that was prepared with `preparePrivateFile`. */
export interface PrivateFile {
  readonly path: string;
  readonly isNew: boolean;
}

/**
 * Creates the file at `path`, an absolute path, if there is none, so that only this user can read it. Returns its path without links.
 * `besides` are endings of further files that are written beside it. Throws the errors of `usable`, a `ForeignFile` for a file with
 * another name, an `OpenFile` if others can read it, and an error of the system.
 */
export function preparePrivateFile(path: string, besides: readonly string[]): PrivateFile {
  const target = usable(wholeTargetAt(path));
  for (const ending of besides) refuseOther(`${target.path}${ending}`);
  const isNew = target.is === 'new';
  const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;
  if (isNew) closeSync(openSync(target.path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600));
  refuseShared(target.path, lstatSync(target.path));
  return { path: target.path, isNew };
}

// Checks a file beside it, which may remain from an earlier run that was killed.
function refuseOther(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isFile()) throw new ForeignFile(`${path} is not a regular file`);
  refuseShared(path, stats);
}
