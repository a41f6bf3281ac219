// Resolves a name to a commit, or tells why that fails: no git, no repository, a shallow clone, an unknown name.
import { type GitFault, type GitPlace, git, gitFault } from './runGit.ts';

/** Why a name does not resolve to a commit. */
export interface NoCommit extends Omit<GitFault, 'is'> {
  readonly is: GitFault['is'] | 'no-repository' | 'shallow' | 'unknown';
}

/** The commit that `revision` names in the repository of a folder. */
export async function commitOf(
  place: GitPlace,
  revision: string,
): Promise<{ readonly commit: string } | NoCommit> {
  const args = ['--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  try {
    const answer = await git(place, ['rev-parse', IS_SHALLOW, ...args]);
    const [, found = ''] = answer.toString('utf8').split('\n');
    // `^name` is valid too: everything that `name` does not reach.
    return /^[0-9a-f]+$/.test(found) ? { commit: found } : UNKNOWN;
  } catch (error) {
    const { is, ...fault } = gitFault(error);
    if (is !== 'other') return { is, ...fault };
    // Without a repository, git ends before it says whether the repository is shallow.
    const [isShallow] = String(Object(error).stdout).split('\n');
    if (isShallow === 'true') return SHALLOW;
    return isShallow === 'false' ? UNKNOWN : NO_REPOSITORY;
  }
}

const IS_SHALLOW = '--is-shallow-repository';

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

const NO_REPOSITORY: NoCommit = {
  is: 'no-repository',
  why: 'this is not a git repository',
  hint: 'run this in a clone, or use a folder as the base: --base ./FOLDER',
};

/** The fault of a clone that lacks a part of its history; null for a whole clone. Throws if git fails. */
export async function shallowness(place: GitPlace): Promise<NoCommit | null> {
  const answer = await git(place, ['rev-parse', IS_SHALLOW]);
  return answer.toString('utf8').trim() === 'true' ? SHALLOW : null;
}
