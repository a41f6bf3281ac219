// The lock of an account that a run holds at a remote. Its renewals and its release copy the journal of the run to the remote.
import type { BaseCommit } from '../../model/recordedBase.ts';
import {
  isFault,
  listedRefs,
  type Pushed,
  pushRefs,
  type RefMove,
  type Remote,
} from '../../read/remote/remoteRefs.ts';
import type { JournalCopy, SharedJournals, SharedNote } from '../journal/sharedJournals.ts';
import type { FirstJournal, HeldAccountLock, SharedStore } from './accountLock.ts';
import type { AtRemote } from './accountRefs.ts';
import { type Ending, giveBack, madeThere, whyOf, withoutFault } from './endLock.ts';
import { thirdOf } from './gitLockSettings.ts';
import { sentenceOfRef } from './inTheWay.ts';
import { oneByOne } from './oneByOne.ts';
import { pushWithJournals } from './pushJournals.ts';
import type { HeldRemoteLock } from './remoteLock.ts';

/** A lock that was taken, and the refs of the remote at that time. */
interface Opened extends Ending, Omit<AtRemote, 'onlyHere' | 'inTheWay' | 'areJournalsGone'> {
  readonly remote: Remote;
  readonly journals: SharedJournals;
  /** The journal that the remote got with the lock. */
  readonly begun: FirstJournal | undefined;
  readonly isUnmoved: boolean;
}

/** The lock as a run uses it. */
export function heldBy(lock: HeldRemoteLock, opened: Opened): HeldAccountLock {
  const { ttl, by, ends } = opened;
  const third = thirdOf(ttl);
  const inTurn = oneByOne();
  const copied = copiedJournal(opened);
  let isGivenBack = false;
  const renew = (): Promise<Pushed> =>
    inTurn(async () => {
      // A journal that the remote got with the lock stays at the remote until the run ends, even if the run sent nothing.
      const text = (await copied.copy()?.text()) ?? undefined;
      return withoutFault(copied.pushWith(moves => lock.renew(moves, copied.copy()?.plan), text));
    });
  const end: SharedStore['end'] = (base, move, note) =>
    inTurn(async () => {
      const pushed = await endWith(lock, { opened, copied }, { base, move, note });
      isGivenBack = pushed.is === 'done';
      return pushed;
    });
  return {
    run: by.id,
    longestWrite: third,
    mayWrite: lock.mayWrite,
    renewEvery: third,
    renew: async () => {
      const pushed = await renew();
      // If the push with the copy of the journal fails, the lock is renewed alone, because the lock matters more than the copy.
      return pushed.is === 'done' || (await withoutFault(lock.renew())).is === 'done';
    },
    release: () =>
      inTurn(async () => {
        if (isGivenBack) return;
        ends();
        const text = await copied.copy()?.text();
        const pushed = await withoutFault(copied.pushWith(moves => lock.release(moves), text));
        if (pushed.is !== 'done') await giveBack(lock, opened);
      }),
    store: storeOf(opened, copied, { renew, end }),
  };
}

/** What the remote has under a lock, and the journal of the run. */
interface UnderLock {
  readonly opened: Opened;
  readonly copied: CopiedJournal;
}

/** A base that the run recorded, the move of its ref, and the note about it. */
interface RecordedBase {
  readonly base: BaseCommit;
  readonly move: RefMove;
  readonly note: SharedNote;
}

// Releases the lock in the push that records the base.
async function endWith(
  lock: HeldRemoteLock,
  { opened: { journals, ends }, copied }: UnderLock,
  { base, move, note }: RecordedBase,
): Promise<Pushed> {
  ends();
  const text = await copied.copy()?.closed(base);
  journals.put(note.name, note.text);
  const pushed = await withoutFault(copied.pushWith(moves => lock.release([move, ...moves]), text));
  // The note must not stay without its base, because then every other base would be refused.
  if (pushed.is !== 'done') journals.takeBack(note.name);
  return pushed;
}

function storeOf(
  opened: Opened,
  copied: CopiedJournal,
  { renew, end }: { readonly renew: () => Promise<Pushed>; readonly end: SharedStore['end'] },
): SharedStore {
  const { shared, atRemote, journals, by, begun, isUnmoved } = opened;
  return {
    shared,
    atRemote,
    journals,
    by,
    isBegun: begun !== undefined,
    isUnmoved,
    keep: copied.keep,
    begin: async () => {
      const pushed = await renew();
      const elsewhere = pushed.is === 'done' ? await wentElsewhere(opened) : null;
      if (elsewhere?.is === 'refused') copied.drop();
      return elsewhere ?? pushed;
    },
    end,
  };
}

/**
 * The result for the first journals of an account if their ref is a symbolic ref: the push only created the target of that ref,
 * so the journals do not count, and the target is removed again. Null if the journals count.
 */
async function wentElsewhere({ remote, journals, atRemote }: Opened): Promise<Pushed | null> {
  const { ref } = journals;
  if (atRemote.has(ref)) return null;
  const found = await listedRefs(remote, [ref]);
  if (isFault(found)) return { is: 'unknown', ...whyOf(found) };
  const [listed] = found;
  if (listed?.target === undefined) return null;
  const { target, commit } = listed;
  const removed = await withoutFault(pushRefs(remote, [{ ref, from: commit, to: null }]));
  const isGone = removed.is === 'done';
  if (isGone) await journals.follow(null);
  const { why, hint } = sentenceOfRef({ ref, target }, remote.name);
  return { is: 'refused', why, hint: isGone ? hint : `${hint}${madeThere(target)}` };
}

/** The journal of the run, which the pushes of its lock copy to the remote. */
interface CopiedJournal {
  /** Returns the journal; undefined if the run has none. */
  readonly copy: () => JournalCopy | undefined;
  readonly keep: (journal: JournalCopy) => void;
  /** Leaves the journal out of later pushes. */
  readonly drop: () => void;
  /** Pushes with this text of the journal. Null removes the journal; undefined leaves it unchanged. */
  readonly pushWith: (
    push: (moves: readonly RefMove[]) => Promise<Pushed>,
    text: string | null | undefined,
  ) => Promise<Pushed>;
}

function copiedJournal({ remote, journals, begun }: Opened): CopiedJournal {
  // Until the run supplies its journal, it has sent nothing.
  let copy: JournalCopy | undefined = begun && { ...begun, text: NOTHING, closed: NOTHING };
  return {
    copy: () => copy,
    keep: journal => {
      if (begun && begun.name !== journal.name) journals.put(begun.name, null);
      copy = journal;
    },
    drop: () => {
      if (copy !== undefined && journals.commit === null) journals.put(copy.name, null);
      copy = undefined;
    },
    pushWith: (push, text) => {
      if (copy !== undefined && text !== undefined) journals.put(copy.name, text);
      return pushWithJournals(remote, journals, push);
    },
  };
}

const NOTHING = async (): Promise<null> => null;
