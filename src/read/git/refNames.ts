// The refs that a short name may mean. git uses the first match: a tag `origin/main`, which anybody who pushes tags can create,
// precedes the branch `main` of `origin`.
import { placesOfBases } from '../../base/refName.ts';
import { type ObjectOfRef, objectsOfRefs } from './localRefs.ts';
import { type GitPlace, git } from './runGit.ts';

/** The full names that git tries for a short name, in the order of git. */
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
  /** The object whose hash begins with the name, if there is one. */
  readonly object?: string;
}

/**
 * The meaning of the name in a revision. The commit is known if the revision is the full name of a ref that points to a commit.
 */
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

// Whether a name has only one meaning: git never looks for a ref named like a whole hash or `HEAD`.
const isFixed = (name: string): boolean => /^(?:@|HEAD|[0-9a-f]{40}|[0-9a-f]{64})?$/.test(name);

/** The meaning of the full name of a ref, or of a revision that begins with it. */
async function meaningOfRef(place: GitPlace, ref: string, isAll: boolean): Promise<NameMeaning> {
  const found = isAll ? await objectAt(place, ref) : 'unreadable';
  if (found === 'unreadable')
    return { is: (await existing(place, [ref])).length > 0 ? 'one' : 'none' };
  if (found === null) return { is: 'none' };
  return { is: 'one', ...(found.type === 'commit' && { commit: found.hash }) };
}

/** The object of a ref; null if there is no such ref, `unreadable` if git cannot read the ref. */
async function objectAt(place: GitPlace, ref: string): Promise<ObjectOfRef | null | 'unreadable'> {
  // All bases of the account are read at once, because the run soon needs the others.
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
