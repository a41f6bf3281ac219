// The journals of an account before its lock is taken, and a journal that is begun in the push that takes the lock.
import { journalRef, lockRef } from '../../base/refName.ts';
import { messageOf } from '../../read/remote/lockAtRemote.ts';
import {
  isFault,
  type Pushed,
  type RefCommits,
  type Remote,
} from '../../read/remote/remoteRefs.ts';
import { type JournalsMove, SharedJournals } from '../journal/sharedJournals.ts';
import { lockOfMessage } from '../lockRecord.ts';
import type { Beginning, FirstJournal } from './accountLock.ts';
import { type AtRemote, type BeforeAtRemote, refsBeforeLock } from './accountRefs.ts';
import { type GitLockSettings, thirdOf } from './gitLockSettings.ts';
import { isFree, type JoinedRefMove } from './remoteLock.ts';

/**
 * The journals of an account at a remote. `atRemote`: the refs of the remote, already fetched into the clone. Rejects if git
 * fails.
 */
export function journalsAt(
  { objects: { place } }: Remote,
  { atRemote }: Pick<AtRemote, 'atRemote'>,
  { account, now, onRestored }: Pick<GitLockSettings, 'account' | 'now' | 'onRestored'>,
): Promise<SharedJournals> {
  const ref = journalRef(account);
  return SharedJournals.open({ place, ref, now, onRestored }, atRemote.get(ref) ?? null);
}

/** The refs of the account and its journals before the lock is taken. */
export interface SeenBefore {
  readonly listing: BeforeAtRemote;
  readonly journals: SharedJournals;
}

/** Undefined if nobody has listed the remote yet and the run does not need it, or if it cannot be listed. */
export async function seenBefore(
  remote: Remote,
  settings: GitLockSettings,
  isNeeded: boolean,
): Promise<SeenBefore | undefined> {
  const { account, before } = settings;
  const listing = before ?? (isNeeded ? await refsBeforeLock(remote, account) : undefined);
  if (listing === undefined || isFault(listing)) return undefined;
  return { listing, journals: await journalsAt(remote, listing, settings) };
}

/** A journal that was begun before the lock was taken, or the state from which it could have been begun. */
export interface BesideLock {
  /** Undefined if no journal was begun: the lock is then taken alone. */
  readonly first: FirstJournal | undefined;
  readonly joinedMove: JoinedRefMove;
  /** The journals under the lock. `now` is null if they are as the push of the lock left them; otherwise they are read again. */
  readonly underLock: (now: AtRemote | null) => Promise<SharedJournals>;
  /** The commit that the push of the lock gave the journals, if their ref did not exist before; otherwise null. */
  readonly made: () => Promise<string | null>;
  /** Whether everything that was read before the lock is still valid, according to the refs of the account under the lock. */
  readonly isUnmoved: (atRemote: RefCommits, isBegun: boolean) => boolean;
}

/**
 * Moves the ref of the journals together with the lock. One listing of the remote shows that nobody holds the lock, and shows the
 * bases and the journals. Then the journal is begun, with the last position of the audit log. The push succeeds only if neither
 * ref has moved since. Every run moves the journals before it writes to the account, so no run has written anything since the
 * listing. Undefined if this cannot be shown.
 */
export async function journalBeside(
  { listing, journals }: SeenBefore,
  remote: Remote,
  settings: GitLockSettings,
  begins: Beginning,
): Promise<BesideLock | undefined> {
  if (!(await isFreeIn(listing.before, remote, settings))) return undefined;
  const { atRemote, shared } = listing;
  const longestWrite = thirdOf(settings.ttl);
  const first = await begins(settings.holder, { shared, journals, longestWrite });
  if (first !== undefined) journals.put(first.name, first.text);
  return new JournalBeside(first, journals, atRemote);
}

/** The journals of an account, whose ref the push of the lock moves if a journal was begun. */
class JournalBeside implements BesideLock {
  readonly first: FirstJournal | undefined;
  readonly joinedMove: JoinedRefMove;
  readonly #journals: SharedJournals;
  /** The refs of the account before the lock. */
  readonly #before: RefCommits;
  #move: Promise<JournalsMove | null> | undefined;
  /** Whether the lock is taken without the journals. */
  #isAlone: boolean;
  #hasWaited = false;

  constructor(first: FirstJournal | undefined, journals: SharedJournals, before: RefCommits) {
    this.first = first;
    this.#journals = journals;
    this.#before = before;
    this.#isAlone = first === undefined;
    this.joinedMove = {
      move: async () => {
        if (this.#isAlone) return null;
        this.#move ??= journals.move();
        return this.#move;
      },
      failed: pushed => this.#failed(pushed),
      giveUp: () => {
        this.#isAlone = true;
        this.#hasWaited = true;
      },
    };
  }

  async underLock(now: AtRemote | null): Promise<SharedJournals> {
    const journals = this.#journals;
    const moved = await this.#move;
    const there = now ? now.atRemote.get(journals.ref) : moved?.to;
    const commit = there ?? null;
    if (this.first) journals.takeBack(this.first.name);
    if (moved && moved.to === commit) journals.moved(moved);
    else await journals.follow(commit);
    return journals;
  }

  async made(): Promise<string | null> {
    const moved = this.#isAlone ? null : await this.#move;
    return moved && moved.from === null ? moved.to : null;
  }

  isUnmoved(under: RefCommits, isBegun: boolean): boolean {
    const refs = new Set([...this.#before.keys(), ...under.keys()]);
    // The push has already shown with its expected commit that the journals have not moved.
    if (isBegun) refs.delete(this.#journals.ref);
    return !this.#hasWaited && [...refs].every(ref => under.get(ref) === this.#before.get(ref));
  }

  #failed(pushed: Pushed): void {
    const { ref } = this.#journals;
    if (pushed.is === 'moved') this.#isAlone ||= pushed.refs.get(ref) !== this.#before.get(ref);
    if (pushed.is !== 'refused') return;
    this.#move = undefined;
    // If the remote moves refs only forward, it refuses the first push.
    this.#isAlone ||= !this.#journals.keepHistory();
  }
}

async function isFreeIn(
  atRemote: RefCommits,
  { objects: { place } }: Remote,
  { account, clocks }: GitLockSettings,
): Promise<boolean> {
  const commit = atRemote.get(lockRef(account));
  if (commit === undefined) return true;
  const message = await messageOf(place, commit);
  return message !== null && isFree({ commit, record: lockOfMessage(message) }, clocks);
}
