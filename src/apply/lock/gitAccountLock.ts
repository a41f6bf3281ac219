// The lock of an account in a Git remote, which has the recorded bases as well.
import { digestOfBase } from '../../base/document.ts';
import { baseRefsOf, formerRef } from '../../base/refName.ts';
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
  type Remote,
} from '../../read/remote/remoteRefs.ts';
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
      return heldBy(lock, { ...shared, ttl: settings.ttl });
    },
  };
}

/** The refs of an account at a remote, with their objects; or why they cannot be read. */
export async function sharedRefs(remote: Remote, account: string): Promise<AtRemote | GitFault> {
  const atRemote = await fetchRefs(remote, [`${baseRefsOf(account)}*`, formerRef(account)]);
  if (isFault(atRemote)) return atRemote;
  const { place } = remote.objects;
  const objects = present(place.objects, 'the folder of objects');
  const refs = new Map(atRemote);
  for (const [ref, commit] of await localRefs(place, baseRefsOf(account))) {
    const there = atRemote.get(ref);
    if (there === commit) continue;
    if (there === undefined || (await isAhead(place, commit, there))) refs.set(ref, commit);
  }
  return { shared: { refs, objects }, atRemote };
}

// Whether a base of the clone follows the one of the remote, because its push failed.
async function isAhead(place: GitPlace, here: string, there: string): Promise<boolean> {
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
}

function heldBy(
  lock: HeldRemoteLock,
  { shared, atRemote, ttl }: AtRemote & { readonly ttl: number },
): HeldAccountLock {
  const third = (ttl * 1000) / 3;
  let isGivenBack = false;
  return {
    longestWrite: third,
    mayWrite: lock.mayWrite,
    renewEvery: third,
    renew: lock.renew,
    release: async () => {
      if (!isGivenBack) await lock.release();
    },
    store: {
      shared,
      atRemote,
      end: async (moves): Promise<Pushed> => {
        const pushed = await lock.release(moves);
        isGivenBack = pushed.is === 'done';
        return pushed;
      },
    },
  };
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
