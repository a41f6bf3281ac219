// The lock of an account in a Git remote, which has the recorded bases as well.
import { digestOfBase } from '../../base/document.ts';
import { baseRefsOf, formerRef, journalRef } from '../../base/refName.ts';
import { present } from '../../model/errors.ts';
import type { SharedRefs } from '../../read/environment.ts';
import { isOrFollows } from '../../read/git/baseChain.ts';
import { localRefs } from '../../read/git/localRefs.ts';
import type { GitFault, GitPlace } from '../../read/git/runGit.ts';
import { storedBase } from '../../read/git/storedBases.ts';
import {
  fetchRefs,
  isFault,
  type Pushed,
  type RefCommits,
  type RefMove,
  type Remote,
} from '../../read/remote/remoteRefs.ts';
import type { RunBy } from '../../report/run/journalLines.ts';
import { type JournalCopy, SharedJournals } from '../journal/sharedJournals.ts';
import type { LockRefusal } from '../refusal.ts';
import type { AccountLock, HeldAccountLock } from './accountLock.ts';
import { gitLock } from './gitLock.ts';
import {
  type HeldRemoteLock,
  type LockSettings,
  type NotTaken,
  takeRemoteLock,
} from './remoteLock.ts';

/** How a lock in a Git remote is taken. */
export interface GitLockSettings extends LockSettings {
  readonly account: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The lock of an account at a remote. */
export function gitAccountLock(remote: Remote, settings: GitLockSettings): AccountLock {
  const { account, now } = settings;
  return {
    take: async () => {
      const lock = await takeRemoteLock(gitLock(remote, account, now), settings);
      if (lock.is !== 'held') return refusalOf(lock, remote, account);
      const shared = await sharedRefs(remote, account);
      if (isFault(shared)) {
        await lock.release();
        return { refused: 'remote-unreachable', remote: remote.name, ...whyOf(shared) };
      }
      const journals = await journalsAt(remote, shared, settings);
      const { ttl, holder } = settings;
      return heldBy(lock, { ...shared, journals, ttl, by: holder });
    },
  };
}

/** The journals of an account at a remote whose refs are here. Rejects if git fails. */
export function journalsAt(
  { objects: { place } }: Remote,
  { atRemote }: Pick<AtRemote, 'atRemote'>,
  { account, now }: Pick<GitLockSettings, 'account' | 'now'>,
): Promise<SharedJournals> {
  const ref = journalRef(account);
  return SharedJournals.open({ place, ref, now }, atRemote.get(ref) ?? null);
}

/** The refs of an account at a remote, with their objects; or why they cannot be read. */
export async function sharedRefs(remote: Remote, account: string): Promise<AtRemote | GitFault> {
  const atRemote = await fetchRefs(remote, [
    `${baseRefsOf(account)}*`,
    formerRef(account),
    journalRef(account),
  ]);
  if (isFault(atRemote)) return atRemote;
  const { place } = remote.objects;
  const objects = present(place.objects, 'the folder of objects');
  const refs = new Map(atRemote);
  for (const [ref, commit] of await localRefs(place, baseRefsOf(account))) {
    const there = atRemote.get(ref);
    if (there === commit) continue;
    if (there === undefined || (await isAhead(place, commit, there))) refs.set(ref, commit);
  }
  const onlyHere = [...refs.keys()].filter(ref => !atRemote.has(ref));
  return { shared: { refs, objects }, atRemote, onlyHere };
}

/** Whether a base follows another one. The base of a clone follows the base of the remote if its push failed. */
export async function isAhead(place: GitPlace, here: string, there: string): Promise<boolean> {
  const bases = [await storedBase(place, here), await storedBase(place, there)];
  const [own, other] = bases.flatMap(base => (base === null || 'why' in base ? [] : base));
  return (
    own !== undefined &&
    other !== undefined &&
    (await isOrFollows(place, own, digestOfBase(other.text)))
  );
}

/** The refs of an account: as a run uses them, and as the remote has them. A base that was not pushed is only here, or newer here. */
export interface AtRemote {
  readonly shared: SharedRefs;
  readonly atRemote: RefCommits;
  /** Bases that the clone has and the remote does not: their push failed, or somebody deleted them there. */
  readonly onlyHere: readonly string[];
}

function heldBy(
  lock: HeldRemoteLock,
  { shared, atRemote, journals, ttl, by }: Omit<AtRemote, 'onlyHere'> & Opened,
): HeldAccountLock {
  const third = (ttl * 1000) / 3;
  let isGivenBack = false;
  let copy: JournalCopy | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(use: () => Promise<T>): Promise<T> => {
    const turn = last.then(use, use);
    last = turn.catch(() => {});
    return turn;
  };
  // The push with the changes of the journals. A remote that moves refs only forward refuses the first one.
  const withJournals = async (
    push: (moves: readonly RefMove[]) => Promise<Pushed>,
    text: string | null | undefined,
  ): Promise<Pushed> => {
    if (copy !== undefined && text !== undefined) journals.put(copy.name, text);
    const move = await journals.move();
    if (move === null) return push([]);
    const pushed = await push([move]);
    if (pushed.is === 'done') journals.moved(move);
    if (pushed.is !== 'refused' || !journals.keepHistory()) return pushed;
    return withJournals(push, undefined);
  };
  const renew = (): Promise<Pushed> =>
    inTurn(async () => withJournals(moves => lock.renew(moves, copy?.plan), await copy?.text()));
  return {
    run: by.id,
    longestWrite: third,
    mayWrite: lock.mayWrite,
    renewEvery: third,
    renew: async () => {
      const pushed = await renew();
      // The lock counts more than the copy of the journal.
      return pushed.is === 'done' || (await lock.renew()).is === 'done';
    },
    release: () =>
      inTurn(async () => {
        if (isGivenBack) return;
        const pushed = await withJournals(moves => lock.release(moves), await copy?.text());
        if (pushed.is !== 'done') await lock.release();
      }),
    store: {
      shared,
      atRemote,
      journals,
      by,
      keep: journal => {
        copy = journal;
      },
      begin: renew,
      end: (base, move) =>
        inTurn(async () => {
          const text = await copy?.closed(base);
          const pushed = await withJournals(moves => lock.release([move, ...moves]), text);
          isGivenBack = pushed.is === 'done';
          return pushed;
        }),
    },
  };
}

/** A lock that was taken, and the refs of the remote at that time. */
interface Opened extends Pick<GitLockSettings, 'ttl'> {
  readonly journals: SharedJournals;
  readonly by: RunBy & Pick<LockSettings['holder'], 'id'>;
}

function refusalOf(lock: NotTaken, { name: remote }: Remote, account: string): LockRefusal {
  switch (lock.is) {
    case 'taken':
      return { refused: 'account-locked', account, remote, by: lock.by.record };
    case 'on-hold':
      return { refused: 'account-on-hold', account, remote, by: lock.by.record };
    case 'refused':
      return { refused: 'remote-refuses', remote, ...whyOf(lock) };
    case 'unreachable':
      return { refused: 'remote-unreachable', remote, ...whyOf(lock) };
    case 'interrupted':
      return { refused: 'not-waited', account };
  }
}

const whyOf = ({ why, hint }: { readonly why: string; readonly hint?: string | undefined }) => ({
  why,
  ...(hint !== undefined && { hint }),
});
