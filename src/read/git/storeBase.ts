// Writes a base into the repository.
import { nameText } from '../../model/text/visible.ts';
import { moveRef, objectsOfRefs } from './localRefs.ts';
import { type GitFault, type GitPlace, gitFault } from './runGit.ts';
import { BASE_FILES } from './storedBases.ts';
import { type MadeCommit, makeCommit, writeCommits } from './writeObjects.ts';

/** A base to be stored. */
export interface NewBase {
  readonly ref: string;
  readonly text: string;
  readonly signature: string;
  /** In milliseconds since 1970. */
  readonly recordedAt: number;
  /** The applied revision, and the previous base. */
  readonly parents: readonly string[];
  /** The commit that the ref must have; undefined if the ref must not exist. */
  readonly before: string | undefined;
}

/** Makes the commit of a base, and writes nothing. Rejects if git fails. */
export function makeBase(
  place: GitPlace,
  { ref, text, signature, recordedAt, parents }: NewBase,
): Promise<MadeCommit> {
  const files = new Map([
    [BASE_FILES.document, text],
    [BASE_FILES.signature, `${signature}\n`],
  ]);
  return makeCommit(place, { files, parents, at: recordedAt, message: `The base at ${ref}` });
}

/**
 * Stores a base and moves its ref; resolves to the commit of the base, or to the reason of the failure. `made` is the commit of
 * the base, if it was already made for another repository, so that both repositories get the same commit.
 */
export async function storeBase(
  place: GitPlace,
  base: NewBase,
  made?: MadeCommit,
): Promise<{ readonly commit: string } | GitFault> {
  try {
    const { commit, objects } = made ?? (await makeBase(place, base));
    await writeCommits(place, [{ commit, objects }]);
    await moveRef(place, { ref: base.ref, from: base.before ?? null, to: commit });
    return { commit };
  } catch (error) {
    const fault = gitFault(error);
    return fault.is === 'other' ? { ...fault, why: `${nameText(base.ref)}: ${fault.why}` } : fault;
  }
}

/**
 * Stores a base of a remote in the clone too, if the ref has the previous base there. Otherwise the clone gets no object: a commit
 * without its parents would break the clone, and every other working copy that shares its objects.
 */
export async function copyBase(place: GitPlace, base: NewBase, made: MadeCommit): Promise<void> {
  if (base.before === undefined) return;
  const there = await objectsOfRefs(place, [base.ref]);
  if (there?.get(base.ref)?.hash === base.before) await storeBase(place, base, made);
}

/** Removes the ref of a base that was moved to another ref; resolves to the reason of the failure, or to null. */
export async function removeRef(
  place: GitPlace,
  ref: string,
  commit: string,
): Promise<GitFault | null> {
  try {
    await moveRef(place, { ref, from: commit, to: null });
    return null;
  } catch (error) {
    return gitFault(error);
  }
}
