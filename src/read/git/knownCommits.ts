// Objects that a run has seen to be commits of a repository, by their whole hashes: what it has seen or written itself, it need not ask
// git about again.
import type { Environment, ObjectFolder } from '../environment.ts';
import { repositoryOf } from './repository.ts';
import type { GitPlace } from './runGit.ts';

/** How many commits are kept. A watch runs for months. */
const MOST = 64;

const WHOLE_HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

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

/** Whether the run has seen that the repository has this commit, by its whole hash. */
export function isKnownCommit(place: GitPlace, commit: string): boolean {
  const commits = known.get(place.host.env);
  if (commits === undefined || !WHOLE_HASH.test(commit)) return false;
  // What the repository has is there beside any folder of objects.
  return commits.has(keyOf(place, commit)) || commits.has(keyIn(place, undefined, commit));
}

const keyOf = (place: GitPlace, commit: string): string =>
  keyIn(place, place.objects ?? place.host.shared?.objects, commit);

const keyIn = ({ folder }: GitPlace, objects: ObjectFolder | undefined, commit: string): string =>
  JSON.stringify([repositoryOf(folder)?.root, objects?.path, commit]);
