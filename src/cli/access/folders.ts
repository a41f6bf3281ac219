// The folders of the files that declare objects, by the names of the objects in drawings.
import { dirname, relative } from 'node:path';
import { accessName } from '../../model/access/accessName.ts';
import type { Folders } from '../../model/access/groupings.ts';
import type { Desired } from '../../model/object.ts';

/** The folders of these objects, relative to the folder `.` that contains all of them. */
export function foldersOf(desired: readonly Desired[]): Folders {
  const folders = desired.map(({ at }) => dirname(at.file));
  const top = folders.reduce(commonFolder, folders[0] ?? '.');
  return new Map(
    desired.map(({ kind, key, at }) => [
      accessName(kind, key),
      relative(top, dirname(at.file)) || '.',
    ]),
  );
}

function commonFolder(one: string, other: string): string {
  if (one === other || other.startsWith(`${one}/`) || one === '.') return one;
  const above = dirname(one);
  return above === one ? one : commonFolder(above, other);
}
