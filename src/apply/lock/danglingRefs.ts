// Symbolic refs at a remote whose target does not exist. A listing does not show them before the
// target exists, so only a push finds them.
import { journalRef, lockRef } from '../../base/refName.ts';
import { type MadeCommit, makeCommit } from '../../read/git/writeObjects.ts';
import { isFault, listedRefs, pushRefs, type Remote } from '../../read/remote/remoteRefs.ts';
import { lockMessage } from '../lockRecord.ts';
import type { RefInTheWay } from './inTheWay.ts';

/** The symbolic refs that a push found, and the refs that the push created and that could not be deleted again. */
export interface FoundByPush {
  readonly inTheWay: readonly RefInTheWay[];
  readonly left: readonly string[];
}

/**
 * Checks whether the ref of an account's lock or of its journals is a symbolic ref whose target
 * does not exist. It pushes a free lock or empty journals to each ref that no listing shows, and
 * then removes them again. Nobody has to wait for a free lock, and a run that begins in the
 * meantime takes it. `now` is in milliseconds since 1970.
 */
export async function danglingRefs(
  remote: Remote,
  account: string,
  now: number,
): Promise<FoundByPush> {
  const { place } = remote.objects;
  const free = { is: 'free', id: '', machine: '', since: '', ttl: 1, counter: 0 } as const;
  const commitOf = (message: string): Promise<MadeCommit> =>
    makeCommit(place, { files: new Map(), parents: [], at: now, message });
  const inTheWay: RefInTheWay[] = [];
  const left: string[] = [];
  for (const [ref, message] of [
    [lockRef(account), lockMessage(free)],
    [journalRef(account), 'No journals'],
  ] as const) {
    const before = await listedRefs(remote, [ref]);
    if (isFault(before) || before.length > 0) continue;
    const { commit: to, objects } = await commitOf(message);
    const pushed = await pushRefs(remote, [{ ref, from: null, to, objects }]);
    if (pushed.is !== 'done') continue;
    const found = await listedRefs(remote, [ref]);
    const target = isFault(found) ? undefined : found[0]?.target;
    if (target !== undefined) inTheWay.push({ ref, target });
    const removed = await pushRefs(remote, [{ ref, from: to, to: null }]);
    // Somebody else has moved and uses the ref in the meantime, so it is not a leftover.
    if (removed.is !== 'done' && removed.is !== 'moved') left.push(target ?? ref);
  }
  return { inTheWay, left };
}
