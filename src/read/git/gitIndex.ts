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
export async function indexOf({ folder, host }: GitPlace): Promise<readonly IndexEntry[]> {
  // No object is read, so the question is the same with and without the objects of a remote, and a run asks it once.
  const place = { folder, host: { ...host, shared: undefined } };
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
