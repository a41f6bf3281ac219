// The refs of a clone.
import { baseRefsOf, placesOfBases } from '../../base/refName.ts';
import { type GitPlace, git } from './runGit.ts';

/** The object that a ref points to. */
export interface ObjectOfRef {
  readonly type: string;
  readonly hash: string;
}

/** The commits of all bases of an account in the clone, by ref. Rejects if git fails. */
export async function localBases(
  place: GitPlace,
  account: string,
): Promise<ReadonlyMap<string, string>> {
  const prefix = baseRefsOf(account);
  const found = await objectsOfRefs(place, placesOfBases(prefix) ?? []);
  if (found !== null)
    return new Map(
      [...found].flatMap(([ref, { hash }]) => (ref.startsWith(prefix) ? [[ref, hash]] : [])),
    );
  const lines = await listed(place, '%(objectname) %(refname)', [prefix]);
  return new Map(
    lines.map((line): [string, string] => {
      const [commit = '', ref = ''] = line.split(' ');
      return [ref, commit];
    }),
  );
}

/**
 * The objects of the refs with these names, and of the refs below these names. Null if git fails, for example because the
 * repository lacks the object of a ref.
 */
export async function objectsOfRefs(
  place: GitPlace,
  names: readonly string[],
): Promise<ReadonlyMap<string, ObjectOfRef> | null> {
  const format = '%(refname) %(objecttype) %(objectname)';
  const lines = await listed(place, format, names).catch(() => null);
  if (lines === null) return null;
  return new Map(
    lines.map((line): [string, ObjectOfRef] => {
      const [ref = '', type = '', hash = ''] = line.split(' ');
      return [ref, { type, hash }];
    }),
  );
}

async function listed(
  place: GitPlace,
  format: string,
  names: readonly string[],
): Promise<readonly string[]> {
  const answer = await git(place, ['for-each-ref', `--format=${format}`, ...names]);
  return answer.toString('utf8').split('\n').filter(Boolean);
}

/**
 * Moves a ref of the clone from one commit to another; null means no ref. Rejects if git fails, or
 * if the ref has a commit other than `from`.
 */
export async function moveRef(
  place: GitPlace,
  {
    ref,
    from,
    to,
  }: { readonly ref: string; readonly from: string | null; readonly to: string | null },
): Promise<void> {
  if (to === null) {
    await git(place, ['update-ref', '-d', ref, ...(from === null ? [] : [from])]);
    return;
  }
  const message = ['--create-reflog', '-m', 'meshform'];
  await git(place, ['update-ref', ...message, ref, to, from ?? '0'.repeat(to.length)]);
}
