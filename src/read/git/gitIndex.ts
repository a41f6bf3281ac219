// The content of the index of a clone: its files and submodules.
import { type GitPlace, git } from './runGit.ts';

/** An entry of the index. */
export interface IndexEntry {
  /** From the root of the repository. */
  readonly path: string;
  readonly mode: string;
}

/** The mode of a submodule. */
export const SUBMODULE_MODE = '160000';

/** All entries. Rejects if git fails. */
export async function indexOf(place: GitPlace): Promise<readonly IndexEntry[]> {
  const listed = await git(place, ['ls-files', '--stage', '-z']);
  return listed
    .toString('utf8')
    .split('\0')
    .filter(Boolean)
    .map(entry => ({
      mode: entry.slice(0, entry.indexOf(' ')),
      path: entry.slice(entry.indexOf('\t') + 1),
    }));
}
