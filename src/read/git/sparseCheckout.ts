// Finds the files that a sparse checkout leaves out. The commit has them and `git status` shows nothing, so their declarations
// would look removed.
import { basename, dirname, join } from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { PROJECT_FILE } from '../../source/project/project.ts';
import type { ProgramHost } from '../environment.ts';
import { leftOutOfCheckout } from '../files/findings.ts';
import { isThere } from '../files/isThere.ts';
import { folderOf, realOf } from '../files/projectFilesAbove.ts';
import { type Selection, selectorFor } from '../files/select.ts';
import { indexOf } from './gitIndex.ts';
import { prefixOf, repositoryOf } from './repository.ts';

/** A folder or one file of desired state. */
interface LookedAt {
  readonly path: string;
  readonly selection: Selection;
  readonly shownAs: (path: string) => string;
  readonly host: ProgramHost;
}

/**
 * The errors for files of desired state, and for project files beside or above them, that a sparse checkout leaves out. None
 * outside a repository, and if git does not work.
 */
export async function leftOutFaults({
  path,
  selection,
  shownAs,
  host,
}: LookedAt): Promise<readonly Diagnostic[]> {
  const repository = repositoryOf(path);
  if (repository === null) return [];
  const real = realOf(path);
  const folder = folderOf(real);
  const index = await indexOf({ folder, host }).catch(() => []);
  const leftOut = index.flatMap(one =>
    one.isLeftOut && !isThere(join(repository.root, one.path)) ? [one.path] : [],
  );
  if (leftOut.length === 0) return [];
  const prefix = prefixOf({ folder });
  const { isSelected } = selectorFor(path, selection);
  const projects = leftOut.filter(file => isProjectFor(file, prefix));
  const [first, ...more] = leftOut.filter(
    file => real === folder && file.startsWith(prefix) && isSelected(file.slice(prefix.length)),
  );
  return [
    ...projects.map(file => leftOutOfCheckout(shownAs(join(repository.root, file)))),
    ...(first === undefined
      ? []
      : [leftOutOfCheckout(shownAs(join(path, first.slice(prefix.length))), more.length)]),
  ];
}

/** Whether a file is a project file in the folder at `prefix`, or above it. */
function isProjectFor(file: string, prefix: string): boolean {
  const folder = dirname(file);
  return basename(file) === PROJECT_FILE && (folder === '.' || prefix.startsWith(`${folder}/`));
}
