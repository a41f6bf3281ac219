// Records a base at the remote, in one push that gives the lock back as well: whoever lost the lock moves no base.
import { type GitPlace, gitFault } from '../../read/git/runGit.ts';
import { type NewBase, storeBase, writeBase } from '../../read/git/storeBase.ts';
import type { Pushed } from '../../read/remote/remoteRefs.ts';
import type { SharedStore } from '../lock/accountLock.ts';

/** Stores a base at the remote of a lock, and gives the lock back; resolves to its commit, or to why that failed. */
export async function storeAtRemote(
  place: GitPlace,
  base: NewBase,
  { shared, atRemote, end }: SharedStore,
): Promise<{ readonly commit: string } | { readonly why: string }> {
  try {
    const commit = await writeBase({ ...place, objects: shared.objects }, base);
    const { ref } = base;
    const pushed = await end([{ ref, from: atRemote.get(ref) ?? null, to: commit }]);
    if (pushed.is !== 'done') return { why: reasonOf(pushed) };
    await followedHere(place, base);
    return { commit };
  } catch (error) {
    return gitFault(error);
  }
}

function reasonOf(pushed: Exclude<Pushed, { readonly is: 'done' }>): string {
  return pushed.is === 'moved' ? 'another run has the lock, or moved the base' : pushed.why;
}

// Whoever fetches and pushes the bases by hand has them in the clone. A clone that does not have the base before gets none: a commit
// whose parents are absent would break it.
async function followedHere(place: GitPlace, base: NewBase): Promise<void> {
  const { shared: _, ...host } = place.host;
  await storeBase({ folder: place.folder, host }, base);
}
