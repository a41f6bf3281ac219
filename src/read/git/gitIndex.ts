// The content of the index of a clone: its files and submodules.
import { type GitPlace, git } from './runGit.ts';

/** An entry of the index. */
export interface IndexEntry {
  /** From the root of the repository. */
  readonly path: string;
  readonly mode: string;
  /** Whether git leaves the file out of the working tree, as in a sparse checkout, and does not look for it there. */
  readonly isLeftOut: boolean;
}

/** The mode of a submodule. */
export const SUBMODULE_MODE = '160000';

/** The letter of an entry that git does not look for in the working tree. */
const LEFT_OUT = 'S';

/** All entries. Rejects if git fails. */
export async function indexOf({ folder, host }: GitPlace): Promise<readonly IndexEntry[]> {
  // This question reads no objects, so its answer is the same with and without the objects of a remote. Without `shared`, a run
  // asks it only once.
  const place = { folder, host: { ...host, shared: undefined } };
  const listed = await git(place, ['ls-files', '--stage', '-t', '-z']);
  return listed
    .toString('utf8')
    .split('\0')
    .filter(Boolean)
    .map(entry => ({
      // The mode follows a letter and a blank.
      isLeftOut: entry.startsWith(LEFT_OUT),
      mode: entry.slice(2, entry.indexOf(' ', 2)),
      path: entry.slice(entry.indexOf('\t') + 1),
    }));
}
