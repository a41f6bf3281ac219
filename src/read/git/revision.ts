// Resolves a name to a commit, or explains why that fails: no git, no repository, a broken repository, a shallow clone, or an
// unknown name.
import { nameText, quoted } from '../../model/text/visible.ts';
import { isKnownCommit, noteCommit } from './knownCommits.ts';
import { meaningOf, type SeveralMeanings } from './refNames.ts';
import { type GitFault, type GitPlace, git, gitFault, isNoRepository } from './runGit.ts';

/** Why a name does not resolve to a commit. */
export interface NoCommit extends Omit<GitFault, 'is'> {
  readonly is: GitFault['is'] | 'no-repository' | 'shallow' | 'unknown' | 'ambiguous';
  /** True if the clone is shallow, so that the name may exist in the part of the history that the clone lacks. */
  readonly isInShallow?: true;
}

/** The commit that `revision` names in the repository of a folder, or why there is none. */
export async function commitOf(
  place: GitPlace,
  revision: string,
): Promise<{ readonly commit: string } | NoCommit> {
  const { shared } = place.host;
  if (shared && SHARED.test(revision)) {
    const commit = shared.refs.get(revision);
    return commit === undefined ? UNKNOWN : { commit };
  }
  if (isKnownCommit(place, revision)) return { commit: revision };
  const args = ['--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  try {
    const meaning = await meaningOf(place, revision);
    if (meaning.is === 'none') return (await shallowness(place)) ? UNKNOWN_IN_SHALLOW : UNKNOWN;
    if (meaning.is === 'several') return ambiguous(meaning);
    if (meaning.commit !== undefined) return found(place, meaning.commit);
    const answer = await git(place, ['rev-parse', IS_SHALLOW, ...args]);
    const [, commit = ''] = answer.toString('utf8').split('\n');
    // `^name` is valid for git too, but means everything that is not reachable from `name`.
    return /^[0-9a-f]+$/.test(commit) ? found(place, commit) : UNKNOWN;
  } catch (error) {
    const { is, ...fault } = gitFault(error);
    if (isNoRepository(error)) return NO_REPOSITORY;
    if (is !== 'other') return { is, ...fault };
    const { code, stdout } = Object(error);
    // For an unknown name, git exits with 1 and prints nothing; if git cannot read the repository, it prints an error.
    if (code !== 1) return fault.hint === undefined ? broken(fault.why) : { is, ...fault };
    return absent(place, revision, String(stdout).startsWith('true'));
  }
}

function found(place: GitPlace, commit: string): { readonly commit: string } {
  noteCommit(place, commit);
  return { commit };
}

/** The refs that machines share. The clone may have older commits at these refs than the remote. */
const SHARED = /^refs\/meshform(?:-[a-z]+)?\//;

/** Why a readable repository has no commit of that name. */
async function absent(place: GitPlace, revision: string, isShallow: boolean): Promise<NoCommit> {
  const isHash = /^[0-9a-f]{4,64}(?:[~^@]|$)/.test(revision);
  if (isHash) return isShallow ? SHALLOW : UNKNOWN;
  const [name = ''] = revision.split(/[~^@:]/);
  const named = await resolved(place, name);
  if (named === null) return isShallow ? UNKNOWN_IN_SHALLOW : UNKNOWN;
  const isWhole = await resolved(place, `${name}^{}`);
  if (isWhole === null) return broken(`it lacks the object of ${quoted(name)}, ${named}`);
  return isShallow ? SHALLOW : UNKNOWN;
}

/** The hash of a name, whether or not the repository has its object; null if the name is unknown. */
async function resolved(place: GitPlace, name: string): Promise<string | null> {
  const args = ['--verify', '--quiet', '--end-of-options', name];
  const answer = await git(place, ['rev-parse', ...args]).catch(() => '');
  return answer.toString().trim() || null;
}

function ambiguous({ refs, object }: SeveralMeanings): NoCommit {
  const names = [...refs, ...(object === undefined ? [] : [object])];
  return {
    is: 'ambiguous',
    why: `it can mean ${names.map(nameText).join(' or ')}`,
    hint: `give the full name: ${names.map(quoted).join(' or ')}`,
  };
}

const IS_SHALLOW = '--is-shallow-repository';

const UNKNOWN: NoCommit = {
  is: 'unknown',
  why: 'this repository has no such revision',
  hint: 'check its name; a pipeline may have to `git fetch` it first',
};

const UNKNOWN_IN_SHALLOW: NoCommit = {
  is: 'unknown',
  isInShallow: true,
  why: 'this shallow clone has no such revision',
  hint: 'check its name; if it is right, `git fetch` it, or everything with `git fetch --unshallow`',
};

const broken = (why: string): NoCommit => ({
  is: 'other',
  why: `git cannot read this repository: ${why}`,
  hint: 'repair what `git status` and `git fsck` report, clone it again, or use a newer git; or use a folder as the base: --base ./FOLDER',
});

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

/** The fault of a clone that lacks a part of its history; null for a complete clone. Throws if git fails. */
export async function shallowness(place: GitPlace): Promise<NoCommit | null> {
  const answer = await git(place, ['rev-parse', IS_SHALLOW]);
  return answer.toString('utf8').trim() === 'true' ? SHALLOW : null;
}
