// Finds out which bases a base follows. Each signed document contains the digest of the previous base, so nobody without the key
// can reorder bases. The parents of a commit prove nothing, because anybody who can push chooses them.
import { beforeIn, digestOfBase } from '../../base/baseDocument.ts';
import type { BaseName } from '../../model/recordedBase.ts';
import { contentsOf } from './objectContents.ts';
import type { GitPlace } from './runGit.ts';
import { BASE_FILES, type StoredBase } from './storedBases.ts';

/** The name of a stored base: its commit and the digest of its document. */
export const nameOfBase = ({ commit, text }: Pick<StoredBase, 'commit' | 'text'>): BaseName => ({
  commit,
  digest: digestOfBase(text),
});

/**
 * Whether a base has this digest, or follows the base with this digest. The caller must have verified the signature of the newest
 * base. Earlier bases need no verification, because each digest is contained in a later base. The search ends at a document that
 * the repository does not have. Throws if git fails.
 */
export async function isOrFollows(
  place: GitPlace,
  { text: newest }: Pick<StoredBase, 'text'>,
  digest: string,
): Promise<boolean> {
  if (digestOfBase(newest) === digest) return true;
  let before = beforeIn(newest);
  while (before !== undefined && before.digest !== digest) {
    const text = await documentOf(place, before);
    if (text === null) return false;
    before = beforeIn(text);
  }
  return before !== undefined;
}

/** The document of a base that another base names; null if the repository does not have it. */
async function documentOf(place: GitPlace, { commit, digest }: BaseName): Promise<string | null> {
  const [content] = await contentsOf(place, [`${commit}:${BASE_FILES.document}`]);
  const text = content?.toString('utf8');
  return text !== undefined && digestOfBase(text) === digest ? text : null;
}
