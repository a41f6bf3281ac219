// The repository of the desired state. Only a folder with an entry called `.git` counts, because git accepts no commit with such
// an entry. A commit may contain any other file or folder of a repository, such as `HEAD`, `config` and `objects`. git itself
// would treat a folder with these files as a repository, and would use its settings, which may name programs.
import { dirname, join, relative, sep } from 'node:path';
import { isThere } from '../files/isThere.ts';
import { folderOf, realOf } from '../files/projectFilesAbove.ts';

/** The checkout of a repository. */
export interface Repository {
  /** The folder with the entry `.git`, without links in its path. */
  readonly root: string;
  /** The path from the root to the folder of the desired state: `a/b/`, or '' for the root itself. */
  readonly prefix: string;
}

/** The nearest repository at or above `path`; null if there is none. */
export function repositoryOf(path: string): Repository | null {
  const folder = realOf(folderOf(path));
  for (let root = folder; ; root = dirname(root)) {
    if (isThere(join(root, '.git'))) return { root, prefix: asPrefix(relative(root, folder)) };
    if (dirname(root) === root) return null;
  }
}

/**
 * The path from the root of its repository to a folder: `a/b/`; '' for the root itself, and for a folder outside a repository.
 */
export const prefixOf = ({ folder }: { readonly folder: string }): string =>
  repositoryOf(folder)?.prefix ?? '';

const asPrefix = (path: string): string => (path === '' ? '' : `${path.split(sep).join('/')}/`);
