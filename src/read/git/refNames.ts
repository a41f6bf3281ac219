// The refs that a short name may mean. git uses the first of them: a tag `origin/main`, which anybody who pushes tags can create,
// precedes the branch `main` of `origin`.
import { placesOfBases } from '../../base/refName.ts';
import { type ObjectOfRef, objectsOfRefs } from './localRefs.ts';
import { type GitPlace, git } from './runGit.ts';

/** Where git looks for a short name, in its order. */
const RULES: readonly ((name: string) => string)[] = [
  name => `refs/${name}`,
  name => `refs/tags/${name}`,
  name => `refs/heads/${name}`,
  name => `refs/remotes/${name}`,
  name => `refs/remotes/${name}/HEAD`,
];

/** A name with several possible meanings. */
export interface SeveralMeanings {
  readonly is: 'several';
  /** The full names of the refs. */
  readonly refs: readonly string[];
  /** The object whose hash begins with the name. */
  readonly object?: string;
}

/** The meaning of the name in a revision. The commit is known where the revision is the full name of a ref that has one. */
export type NameMeaning =
  | { readonly is: 'one'; readonly commit?: string }
  | { readonly is: 'none' }
  | SeveralMeanings;

/** The meaning of the name in a revision such as `main~2`. Throws if git fails. */
export async function meaningOf(place: GitPlace, revision: string): Promise<NameMeaning> {
  const [name = ''] = revision.split(/[~^:]|@\{/);
  if (isFixed(name)) return { is: 'one' };
  if (name.startsWith('refs/')) return meaningOfRef(place, name, name === revision);
  const refs = await existing(
    place,
    RULES.map(rule => rule(name)),
  );
  const object = refs.length > 0 && SHORT_HASH.test(name) ? await objectOf(place, name) : undefined;
  const count = refs.length + (object === undefined ? 0 : 1);
  return count > 1
    ? { is: 'several', refs, ...(object !== undefined && { object }) }
    : { is: 'one' };
}

const SHORT_HASH = /^[0-9a-f]{4,63}$/;

// git takes a whole hash, and `HEAD`, for nothing else.
const isFixed = (name: string): boolean => /^(?:@|HEAD|[0-9a-f]{40}|[0-9a-f]{64})?$/.test(name);

/** The meaning of the full name of a ref, or of a revision that begins with it. */
async function meaningOfRef(place: GitPlace, ref: string, isAll: boolean): Promise<NameMeaning> {
  const found = isAll ? await objectAt(place, ref) : 'unreadable';
  if (found === 'unreadable')
    return { is: (await existing(place, [ref])).length > 0 ? 'one' : 'none' };
  if (found === null) return { is: 'none' };
  return { is: 'one', ...(found.type === 'commit' && { commit: found.hash }) };
}

/** The object of a ref; null if there is no such ref. */
async function objectAt(place: GitPlace, ref: string): Promise<ObjectOfRef | null | 'unreadable'> {
  // Whoever wants one base of an account wants the others soon.
  const bases = placesOfBases(ref);
  const all = bases && (await objectsOfRefs(place, bases));
  const found = all ?? (await objectsOfRefs(place, [ref]));
  return found === null ? 'unreadable' : (found.get(ref) ?? null);
}

// git lists refs below these names too.
async function existing(place: GitPlace, names: readonly string[]): Promise<string[]> {
  const answer = await git(place, ['for-each-ref', '--format=%(refname)', ...names]);
  const found = new Set(answer.toString('utf8').split('\n'));
  return names.filter(name => found.has(name));
}

async function objectOf(place: GitPlace, name: string): Promise<string | undefined> {
  const answer = await git(place, ['rev-parse', `--disambiguate=${name}`]);
  return answer.toString('utf8').split('\n')[0] || undefined;
}
