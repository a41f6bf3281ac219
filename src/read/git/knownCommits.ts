// Remembers commits that a run has seen in a repository or has written itself, by their whole hashes, so that the run need not
// ask git about them again.
import type { Environment, ObjectFolder } from '../environment.ts';
import { repositoryOf } from './repository.ts';
import type { GitPlace } from './runGit.ts';
import { isWholeHash } from './wholeHash.ts';

/** The maximum number of commits that are kept, because a watch may run for months. */
const MOST = 64;

/** The commits by the environment of the run, with the latest at the end. */
const known = new WeakMap<Environment, Set<string>>();

/** Notes that an object is a commit that the repository has. */
export function noteCommit(place: GitPlace, commit: string): void {
  const commits = known.get(place.host.env) ?? new Set<string>();
  known.set(place.host.env, commits);
  commits.add(keyOf(place, commit));
  for (const oldest of commits) {
    if (commits.size <= MOST) return;
    commits.delete(oldest);
  }
}

/** Whether the run has seen this commit, given by its whole hash, in the repository. */
export function isKnownCommit(place: GitPlace, commit: string): boolean {
  const commits = known.get(place.host.env);
  if (commits === undefined || !isWholeHash(commit)) return false;
  // A commit in the repository itself also exists for every separate folder of objects.
  return commits.has(keyOf(place, commit)) || commits.has(keyIn(place, undefined, commit));
}

const keyOf = (place: GitPlace, commit: string): string =>
  keyIn(place, place.objects ?? place.host.shared?.objects, commit);

const keyIn = ({ folder }: GitPlace, objects: ObjectFolder | undefined, commit: string): string =>
  JSON.stringify([repositoryOf(folder)?.root, objects?.path, commit]);
