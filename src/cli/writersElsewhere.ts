// Finds two things at a remote that a writing run does not use but must not overlook: the holder of
// the account's lock, and unfinished applies.
import {
  holdsLock,
  isPlanOf,
  isVerified,
  unfinishedRuns,
} from '../apply/earlierRuns/remoteRuns.ts';
import type { SharedJournals } from '../apply/journal/sharedJournals.ts';
import { gitLock } from '../apply/lock/gitLock.ts';
import { journalsAt } from '../apply/lock/journalBeside.ts';
import { isFree, type RemoteTrouble, type SeenLock } from '../apply/lock/remoteLock.ts';
import { journalRef, lockRef } from '../base/refName.ts';
import { shortRun } from '../model/runName.ts';
import { shellWord } from '../model/text/shellWord.ts';
import { quoted } from '../model/text/visible.ts';
import { fetchRefs, isFault, type RefCommits, type Remote } from '../read/remote/remoteRefs.ts';
import { holderText } from '../report/lockText.ts';
import { EXIT } from './exitCodes.ts';
import type { Io } from './io.ts';
import { NOBODY, signerIn } from './machine.ts';
import { Stop } from './stop.ts';

/** The use of an account by a command. */
export interface AccountUse {
  readonly account: string;
  /** The path of the files of a run that writes; absent for a command that only reads. */
  readonly writesFor?: string;
  /** Whether a lock belongs to a dead run. By default this is unknown. */
  readonly isGone?: (lock: SeenLock) => boolean;
}

/** A lock, a base or an unfinished apply at a remote that a run would miss because it does not use this remote. */
export interface OverlookedState {
  readonly remote: string;
  readonly is: 'lock' | 'apply' | 'base';
  /** Refuses the run. */
  readonly stop: Stop;
  /** The lock, if a lock is missed. */
  readonly held?: SeenLock;
}

/** The reason why a run does not use a remote, and what makes the run use it. */
export interface UnusedRemote {
  /** Why the run uses another remote; begins a clause. */
  readonly because: string;
  /** What the user can do so that the run uses the remote. */
  readonly instead: string;
  /** The remote that the run uses; absent if its lock is a file. */
  readonly used?: Remote;
}

/** The refs that show what a run that writes must not miss. */
export const refsOfWriters = ({ account, writesFor }: AccountUse): readonly string[] =>
  writesFor === undefined ? [] : [lockRef(account), journalRef(account)];

/**
 * Finds the lock and the unfinished applies at the remote with these refs that a run would miss
 * because it does not use this remote.
 */
export async function writersAt(
  at: { readonly remote: Remote; readonly refs: RefCommits },
  use: AccountUse,
  passing: UnusedRemote,
  io: Io,
): Promise<readonly OverlookedState[]> {
  const { account, writesFor } = use;
  if (writesFor === undefined) return [];
  const lock = at.refs.has(lockRef(account)) ? await lockAt(at.remote, use, passing, io) : [];
  if (!at.refs.has(journalRef(account))) return lock;
  const files = { account, path: writesFor, lock: lock[0]?.held };
  return [...lock, ...(await unfinishedAt(at.remote, files, passing, io))];
}

async function lockAt(
  remote: Remote,
  { account, isGone }: AccountUse,
  passing: UnusedRemote,
  io: Io,
): Promise<readonly OverlookedState[]> {
  const { used } = passing;
  const held = await heldAt(remote, account, io);
  if (held === null || isGone?.(held)) return [];
  // If both remotes are the same repository under two names, or one is a copy of the other, the
  // state at the used remote counts.
  const own = used && (await heldAt(used, account, io));
  if (own && own.record?.id === held.record?.id) return [];
  const stop = heldStop(held, { remote: remote.name, ref: lockRef(account) }, passing);
  return [{ remote: remote.name, is: 'lock', held, stop }];
}

function heldStop(
  { record }: SeenLock,
  { remote, ref }: { readonly remote: string; readonly ref: string },
  { because, instead, used }: UnusedRemote,
): Stop {
  const run = record?.id ?? 'RUN';
  const wait = used === undefined ? '' : ' (`--wait 10m` waits for it)';
  const hint =
    record?.is === 'hold'
      ? `wait until somebody runs \`meshform lock release FOLDER\`, or ${instead}`
      : `wait until that run ends${wait}, or ${instead}; if its machine is gone, run \`meshform lock break ${run} FOLDER\``;
  return new Stop(
    EXIT.refused,
    `somebody holds the lock of the account at the remote ${quoted(remote)}, and ${because} would not see that lock:`,
    `${hint}; if the lock is a copy from another remote and its run has ended, remove it with \`git push ${shellWord(remote)} --delete ${shellWord(ref)}\``,
    holderText(record).trimEnd().split('\n'),
  );
}

async function heldAt(remote: Remote, account: string, io: Io): Promise<SeenLock | null> {
  const found = await gitLock(remote, account, io.now).read();
  if (found === null) return null;
  if ('why' in found) throw unread(remote, 'the lock', found);
  return isFree(found, { monotonic: io.monotonic, wall: io.now }) ? null : found;
}

async function unfinishedAt(
  remote: Remote,
  {
    account,
    path,
    lock,
  }: {
    readonly account: string;
    readonly path: string;
    /** The lock at the remote, if its holder is still running. */
    readonly lock: SeenLock | undefined;
  },
  { because, instead, used }: UnusedRemote,
  io: Io,
): Promise<readonly OverlookedState[]> {
  const signer = signerIn(io) ?? NOBODY;
  // Ignores journals that are signed with another key, because no run trusts them, at either
  // remote.
  const open = (await unfinishedRuns(await journalsOf(remote, account, io), signer)).filter(
    run =>
      isVerified(run) &&
      isPlanOf(run.read.plan, { path, cwd: io.cwd }) &&
      !holdsLock(run, lock?.record),
  );
  if (open.length === 0) return [];
  const own = used && (await journalsOf(used, account, io));
  const [unseen] = open.filter(({ run }) => own?.nameOf(run) === undefined);
  if (unseen === undefined) return [];
  const run = shortRun(unseen.run);
  const stop = new Stop(
    EXIT.refused,
    `the apply ${run} of these files is not finished: its journal is at the remote ${quoted(remote.name)}, and ${because} would not see that journal`,
    `${instead}, and continue it with \`meshform apply --resume ${run}\`, or close it with \`--abandon ${run}\``,
  );
  return [{ remote: remote.name, is: 'apply', stop }];
}

/** The journals at a remote that answered before. Throws a `Stop` if it does not answer now. */
async function journalsOf(remote: Remote, account: string, io: Io): Promise<SharedJournals> {
  const found = await fetchRefs(remote, [journalRef(account)]);
  if (isFault(found)) throw unread(remote, 'the journals', found);
  return journalsAt(remote, { atRemote: found }, { account, now: io.now });
}

const unread = ({ name }: Remote, what: string, { why, hint }: RemoteTrouble): Stop =>
  new Stop(
    EXIT.refused,
    `${what} of the account at the remote ${quoted(name)} cannot be read: ${why}`,
    hint ?? 'check the remote with `git ls-remote`',
  );
