// Records a base at the remote, in a single push that also releases the lock. So a run that has
// lost the lock cannot move a base.
import type { BaseCommit } from '../../model/recordedBase.ts';
import type { Signer } from '../../model/signer.ts';
import { nameOfBase } from '../../read/git/baseChain.ts';
import { type GitPlace, gitFault } from '../../read/git/runGit.ts';
import { copyBase, makeBase, type NewBase } from '../../read/git/storeBase.ts';
import type { MadeCommit } from '../../read/git/writeObjects.ts';
import type { RefCommits, RefMove } from '../../read/remote/remoteRefs.ts';
import {
  type LostBase,
  type NotMoved,
  type SharedStore,
  whyNotMoved,
} from '../lock/accountLock.ts';
import { isAhead } from '../lock/accountRefs.ts';
import { noteOf } from './newest.ts';
import type { BaseRemote } from './record.ts';

/**
 * Stores a base at the remote of a lock, and releases the lock. Resolves to the commit of the base,
 * or to the reason of a failure.
 */
export async function storeAtRemote(
  place: GitPlace,
  base: NewBase,
  { shared, atRemote, end }: SharedStore,
  signer: Signer,
): Promise<{ readonly commit: string } | NotMoved> {
  try {
    const made = await makeBase({ ...place, objects: shared.objects }, base);
    const { commit, objects } = made;
    const { ref } = base;
    const recordedAt = new Date(base.recordedAt).toISOString();
    const named = { ref, recordedAt, ...nameOfBase({ commit, text: base.text }) };
    const move = { ref, from: atRemote.get(ref) ?? null, to: commit, objects };
    const pushed = await end(named, move, noteOf({ base: named }, signer));
    if (pushed.is !== 'done') {
      const there = { ...place, objects: shared.objects };
      const lost = pushed.is === 'moved' ? await lostBase(there, move, pushed.refs) : undefined;
      return { ...whyNotMoved(pushed), ...(lost && { lost }) };
    }
    await followedHere(place, base, made);
    return { commit };
  } catch (error) {
    return gitFault(error);
  }
}

// The base that somebody removed or replaced while the run had the lock, according to the refs
// after the push. No other run did this, because a run would have recorded a base that follows it.
async function lostBase(
  place: GitPlace,
  { ref, from }: RefMove,
  refs: RefCommits,
): Promise<LostBase | undefined> {
  const there = refs.get(ref);
  if (from === null || there === from || refs.size === 0) return undefined;
  if (there === undefined) return { is: 'deleted', commit: from };
  return (await isAhead(place, from, there)) ? { is: 'put back', commit: from } : undefined;
}

/** The bases at the remote of a lock. Use them only while the lock is held. */
export const basesAtRemote = (store: SharedStore, signer: Signer): BaseRemote => ({
  has: ({ ref, commit }) => store.atRemote.get(ref) === commit,
  note: base => noteAtRemote(base, store, signer),
  put: async base => {
    const { ref, commit } = base;
    const move = { ref, from: store.atRemote.get(ref) ?? null, to: commit };
    const pushed = await store.end(base, move, noteOf({ base }, signer));
    return pushed.is === 'done' ? null : whyNotMoved(pushed);
  },
});

/**
 * Adds the missing note of a base that the remote already has, in the push that releases the lock.
 * Such a base was recorded by an earlier version or pushed by hand. Rejects if git fails.
 */
async function noteAtRemote(
  base: BaseCommit,
  { atRemote, journals }: SharedStore,
  signer: Signer,
): Promise<void> {
  const { name, text } = noteOf({ base }, signer);
  const isThere = atRemote.get(base.ref) === base.commit;
  if (isThere && (await journals.note(name)) === null) journals.put(name, text);
}

// Updates the clone for a user who fetches and pushes the bases by hand. The first base is not copied to the clone, because the
// copy would never be removed for a user who does not fetch bases.
async function followedHere(place: GitPlace, base: NewBase, made: MadeCommit): Promise<void> {
  const { shared: _, ...host } = place.host;
  await copyBase({ folder: place.folder, host }, base, made);
}
