// Pushes the journals at a remote together with other refs.
import {
  fetchRefs,
  isFault,
  type Pushed,
  type RefMove,
  type Remote,
} from '../../read/remote/remoteRefs.ts';
import type { SharedJournals } from '../journal/sharedJournals.ts';

/** How many times a push is repeated if somebody has moved the journals. */
const TRIES = 5;

/**
 * Pushes the changes of the journals with other moves. A remote that moves refs only forward
 * refuses the first attempt. The push is retried if a command that needs no lock has moved the
 * journals, for example to change the base of another folder. The retry keeps the note of that
 * command. Rejects if git fails.
 */
export async function pushWithJournals(
  remote: Remote,
  journals: SharedJournals,
  push: (moves: readonly RefMove[]) => Promise<Pushed>,
): Promise<Pushed> {
  for (let tries = 1; ; tries++) {
    const move = await journals.move();
    const pushed = await push(move === null ? [] : [move]);
    if (pushed.is === 'done' && move !== null) journals.moved(move);
    if (pushed.is === 'done' || move === null || tries === TRIES) return pushed;
    const isOther =
      (pushed.is === 'refused' && journals.keepHistory()) ||
      (pushed.is === 'moved' && (await hasFollowed(remote, journals)));
    if (!isOther) return pushed;
  }
}

// Whether the journals at the remote have changed since they were read.
async function hasFollowed(remote: Remote, journals: SharedJournals): Promise<boolean> {
  const { ref } = journals;
  const found = await fetchRefs(remote, [ref]);
  return !isFault(found) && journals.follow(found.get(ref) ?? null);
}
