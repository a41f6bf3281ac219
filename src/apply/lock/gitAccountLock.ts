// The lock of an account in a Git remote, which also has the recorded bases.
import { isFault, type Remote } from '../../read/remote/remoteRefs.ts';
import type { SharedJournals } from '../journal/sharedJournals.ts';
import type { AccountLockRefusal, LockRefusal } from '../refusal.ts';
import type { AccountLock, HeldAccountLock } from './accountLock.ts';
import { type AtRemote, sharedRefs } from './accountRefs.ts';
import { otherServerRefusal, type ReachedServer } from './accountServer.ts';
import { endingRemote } from './endingRemote.ts';
import { leftOf, type TakenLock, whyOf, withdraw } from './endLock.ts';
import { gitLock } from './gitLock.ts';
import type { GitLockSettings } from './gitLockSettings.ts';
import { heldBy } from './heldGitLock.ts';
import { sentenceOfRef } from './inTheWay.ts';
import { journalBeside, journalsAt, seenBefore } from './journalBeside.ts';
import { type NotTaken, takeRemoteLock } from './remoteLock.ts';

/** The lock of an account at a remote. */
export function gitAccountLock(asked: Remote, settings: GitLockSettings): AccountLock {
  const { account, now, holder: by, signal, onLeft } = settings;
  return {
    take: async (begins, reached) => {
      const { remote, ends } = endingRemote(asked, settings);
      const seen = await seenBefore(remote, settings, begins !== undefined);
      const other = seen && (await serverRefusal(seen.journals, reached, { remote, account }));
      if (other) return other;
      const begun =
        (seen && begins && (await journalBeside(seen, remote, settings, begins))) ?? null;
      const { first, joinedMove } = begun ?? {};
      const holder = first ? { ...by, plan: first.plan } : by;
      const taking = { ...settings, holder, joinedMove };
      const lock = await takeRemoteLock(gitLock(remote, account, now), taking);
      const { ttl } = settings;
      if (lock.is !== 'held') {
        if (lock.mayBeOurs !== undefined) onLeft?.({ why: lock.mayBeOurs, run: by.id, ttl });
        return refusalOf(lock, remote, account);
      }
      const ended = { by, ttl, ends, onLeft };
      const held = await openedUnder({ remote, lock, seen, begun, ended, reached }, settings);
      if ('refused' in held || !signal?.aborted) return held;
      await held.release();
      return { refused: 'not-waited', account };
    },
  };
}

/**
 * Opens the bases and journals of the account under its lock. If they cannot be read, or if refs at
 * the remote would prevent every run from ending, it releases the lock and resolves to a refusal.
 */
async function openedUnder(
  taken: TakenLock,
  settings: GitLockSettings,
): Promise<HeldAccountLock | LockRefusal> {
  const { remote, lock, begun, ended, reached } = taken;
  const { account } = settings;
  // Lists the refs again under the lock. Before that, another run could record a base, and a
  // command without a lock could move the journals. The refs of the clone are read again for the
  // same reason.
  const shared = await sharedRefs(remote, account).catch(async (error: unknown) => {
    await withdraw(taken);
    throw error;
  });
  if (isFault(shared)) {
    await withdraw(taken);
    return { refused: 'remote-unreachable', remote: remote.name, ...whyOf(shared) };
  }
  const [inTheWay] = shared.inTheWay;
  if (inTheWay !== undefined) {
    await withdraw(taken);
    const { why, hint } = sentenceOfRef(inTheWay, remote.name);
    const left = await leftOf(inTheWay, taken, account);
    return { refused: 'remote-refuses', remote: remote.name, why, hint: `${hint}${left}` };
  }
  const journals = await (begun?.underLock(shared) ?? journalsUnder(taken, shared, settings));
  const { first } = begun ?? {};
  const isBegun = first !== undefined && journals.nameOf(ended.by.id) === first.name;
  // If a push moved the journals, nobody had changed them since the server was compared.
  const other = isBegun ? null : await serverRefusal(journals, reached, { remote, account });
  if (other) {
    await withdraw(taken);
    return other;
  }
  journals.keepRuns();
  if (isBegun) journals.leaveOut(first.name);
  const isUnmoved = begun?.isUnmoved(shared.atRemote, isBegun) ?? false;
  const opened = { ...shared, ...ended, remote, journals, isUnmoved };
  return heldBy(lock, { ...opened, begun: isBegun ? first : undefined });
}

const serverRefusal = async (
  journals: SharedJournals,
  reached: ReachedServer | undefined,
  { remote: { name }, account }: { readonly remote: Remote; readonly account: string },
): Promise<AccountLockRefusal | null> =>
  reached ? otherServerRefusal({ account, remote: name }, journals, reached) : null;

// The journals under the lock. Files that existed before the lock was taken and are gone now are restored.
async function journalsUnder(
  { remote, seen }: TakenLock,
  under: AtRemote,
  settings: GitLockSettings,
): Promise<SharedJournals> {
  const journals = seen?.journals ?? (await journalsAt(remote, under, settings));
  await journals.follow(under.atRemote.get(journals.ref) ?? null);
  return journals;
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
