// Resolves a name to a commit, or tells why that fails: no git, no repository, a shallow clone, an unknown name.
import { type GitFault, git, gitFault } from './runGit.ts';

/** Why a name does not resolve to a commit. */
export interface NoCommit extends Omit<GitFault, 'is'> {
  readonly is: GitFault['is'] | 'no-repository' | 'shallow' | 'unknown';
}

/** The commit that `revision` names in the repository of `folder`. */
export async function commitOf(
  folder: string,
  revision: string,
): Promise<{ readonly commit: string } | NoCommit> {
  try {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
    const found = (await git(folder, args)).toString('utf8').trim();
    // `^name` is valid too: everything that `name` does not reach.
    return /^[0-9a-f]+$/.test(found) ? { commit: found } : UNKNOWN;
  } catch (error) {
    const { is, ...fault } = gitFault(error);
    return is === 'other' ? reasonFor(folder) : { is, ...fault };
  }
}

const UNKNOWN: NoCommit = {
  is: 'unknown',
  why: 'this repository has no such revision',
  hint: 'check its name; a pipeline may have to `git fetch` it first',
};

const SHALLOW: NoCommit = {
  is: 'shallow',
  why: 'this is a shallow clone',
  hint: 'run `git fetch --unshallow` first; actions/checkout does that with `fetch-depth: 0`',
};

// git ends with the same code for an unknown name and for a folder without a repository.
async function reasonFor(folder: string): Promise<NoCommit> {
  try {
    return (await shallowness(folder)) ?? UNKNOWN;
  } catch (error) {
    const { is, ...fault } = gitFault(error);
    if (is !== 'other') return { is, ...fault };
    const hint = 'run this in a clone, or use a folder as the base: --base ./FOLDER';
    return { is: 'no-repository', why: 'this is not a git repository', hint };
  }
}

/** The fault of a clone that lacks a part of its history; null for a whole clone. Throws if git fails. */
export async function shallowness(folder: string): Promise<NoCommit | null> {
  const answer = await git(folder, ['rev-parse', '--is-shallow-repository']);
  return answer.toString('utf8').trim() === 'true' ? SHALLOW : null;
}
