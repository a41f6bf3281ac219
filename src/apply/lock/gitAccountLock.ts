// The lock of an account in a Git remote, which has the recorded bases as well.
import { digestOfBase } from '../../base/document.ts';
import { baseRefsOf, formerRef, journalRef, lockRef } from '../../base/refName.ts';
import { present } from '../../model/errors.ts';
import type { SharedRefs } from '../../read/environment.ts';
import { isOrFollows } from '../../read/git/baseChain.ts';
import { localRefs } from '../../read/git/localRefs.ts';
import type { GitFault, GitPlace } from '../../read/git/runGit.ts';
import { storedBase } from '../../read/git/storedBases.ts';
import { messageOf } from '../../read/remote/lockAtRemote.ts';
import {
  fetchRefs,
  isFault,
  type Pushed,
  type RefCommits,
  type RefMove,
  type Remote,
} from '../../read/remote/remoteRefs.ts';
import { type JournalCopy, SharedJournals } from '../journal/sharedJournals.ts';
import { lockOfMessage } from '../lockRecord.ts';
import type { LockRefusal } from '../refusal.ts';
import type {
  AccountLock,
  Beginning,
  FirstJournal,
  HeldAccountLock,
  LockHolder,
} from './accountLock.ts';
import { gitLock } from './gitLock.ts';
import { pushWithJournals } from './pushJournals.ts';
import {
  type Beside,
  type HeldRemoteLock,
  isFree,
  type LockSettings,
  type NotTaken,
  takeRemoteLock,
} from './remoteLock.ts';

/** How a lock in a Git remote is taken. */
export interface GitLockSettings extends LockSettings {
  readonly account: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The refs of the lock and the journals as one listing has shown them. By default the remote is asked for them, if they are needed. */
  readonly before?: RefCommits;
}

/** The lock of an account at a remote. */
export function gitAccountLock(remote: Remote, settings: GitLockSettings): AccountLock {
  const { account, now, holder: by } = settings;
  return {
    take: async begins => {
      const { first, beside } = (begins && (await journalBeside(remote, settings, begins))) ?? {};
      const holder = first ? { ...by, plan: first.plan } : by;
      const taking = { ...settings, holder, beside };
      const lock = await takeRemoteLock(gitLock(remote, account, now), taking);
      if (lock.is !== 'held') return refusalOf(lock, remote, account);
      const shared = await sharedRefs(remote, account);
      if (isFault(shared)) {
        await lock.release();
        return { refused: 'remote-unreachable', remote: remote.name, ...whyOf(shared) };
      }
      const journals = await journalsAt(remote, shared, settings);
      const { ttl } = settings;
      const begun = first && journals.nameOf(by.id) === first.name ? first : undefined;
      if (begun) journals.leaveOut(begun.name);
      return heldBy(lock, { ...shared, remote, journals, ttl, by, begun });
    },
  };
}

/**
 * Moves the ref of the journals with the lock. One listing of the remote shows that nobody holds the lock, and the journals. Then the
 * journal is begun, with the end of the audit log. The push succeeds only if neither ref has moved since: as every run moves the journals
 * before it creates anything, none has created anything after that end. Undefined if that cannot be shown.
 */
async function journalBeside(
  remote: Remote,
  settings: GitLockSettings,
  begins: Beginning,
): Promise<{ readonly first: FirstJournal; readonly beside: Beside } | undefined> {
  const { account } = settings;
  const refs = [lockRef(account), journalRef(account)];
  const atRemote = settings.before ?? (await fetchRefs(remote, refs));
  if (isFault(atRemote) || !(await isFreeIn(atRemote, remote, settings))) return undefined;
  const first = await begins(settings.holder);
  if (first === undefined) return undefined;
  const journals = await journalsAt(remote, { atRemote }, settings);
  journals.put(first.name, first.text);
  let move: Promise<RefMove | null> | undefined;
  let isAlone = false;
  const beside: Beside = {
    move: async () => {
      move ??= journals.move();
      return isAlone ? null : move;
    },
    failed: pushed => {
      if (pushed.is === 'moved') {
        const there = pushed.refs.get(journals.ref);
        isAlone ||= there !== atRemote.get(journals.ref);
      }
      if (pushed.is !== 'refused') return;
      move = undefined;
      // A remote that moves refs only forward refuses the first one.
      isAlone ||= !journals.keepHistory();
    },
    giveUp: () => {
      isAlone = true;
    },
  };
  return { first, beside };
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
  const atRemote = await fetchRefs(remote, refsOf(account));
  return isFault(atRemote) ? atRemote : withOwn(remote, account, atRemote);
}

/** The same, and the refs of the lock and the journals from the same listing. */
export async function refsBeforeLock(
  remote: Remote,
  account: string,
): Promise<(AtRemote & { readonly before: RefCommits }) | GitFault> {
  const lock = lockRef(account);
  const before = await fetchRefs(remote, [...refsOf(account), lock]);
  if (isFault(before)) return before;
  const atRemote = new Map([...before].filter(([ref]) => ref !== lock));
  return { ...(await withOwn(remote, account, atRemote)), before };
}

const refsOf = (account: string): readonly string[] => [
  `${baseRefsOf(account)}*`,
  formerRef(account),
  journalRef(account),
];

async function withOwn(
  { objects: { place } }: Remote,
  account: string,
  atRemote: RefCommits,
): Promise<AtRemote> {
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
  { shared, atRemote, remote, journals, ttl, by, begun }: Omit<AtRemote, 'onlyHere'> & Opened,
): HeldAccountLock {
  const third = (ttl * 1000) / 3;
  let isGivenBack = false;
  // Until the run says more, it has sent nothing.
  let copy: JournalCopy | undefined = begun && { ...begun, text: NOTHING, closed: NOTHING };
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(use: () => Promise<T>): Promise<T> => {
    const turn = last.then(use, use);
    last = turn.catch(() => {});
    return turn;
  };
  const withJournals = async (
    push: (moves: readonly RefMove[]) => Promise<Pushed>,
    text: string | null | undefined,
  ): Promise<Pushed> => {
    if (copy !== undefined && text !== undefined) journals.put(copy.name, text);
    return pushWithJournals(remote, journals, push);
  };
  const renew = (): Promise<Pushed> =>
    inTurn(async () => {
      // A journal that the remote got with the lock stays there until the end, although nothing was sent.
      const text = (await copy?.text()) ?? undefined;
      return withJournals(moves => lock.renew(moves, copy?.plan), text);
    });
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
      isBegun: begun !== undefined,
      keep: journal => {
        if (begun && begun.name !== journal.name) journals.put(begun.name, null);
        copy = journal;
      },
      begin: renew,
      end: (base, move, note) =>
        inTurn(async () => {
          const text = await copy?.closed(base);
          journals.put(note.name, note.text);
          const pushed = await withJournals(moves => lock.release([move, ...moves]), text);
          isGivenBack = pushed.is === 'done';
          // A note of a base that was not recorded would refuse every other one.
          if (!isGivenBack) journals.takeBack(note.name);
          return pushed;
        }),
    },
  };
}

/** A lock that was taken, and the refs of the remote at that time. */
interface Opened extends Pick<GitLockSettings, 'ttl'> {
  readonly remote: Remote;
  readonly journals: SharedJournals;
  readonly by: LockHolder;
  /** The journal that the remote got with the lock. */
  readonly begun: FirstJournal | undefined;
}

const NOTHING = async (): Promise<null> => null;

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
