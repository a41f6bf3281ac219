// What a run that writes must not overlook at a remote that it does not use: who holds the lock of the account, and applies that
// nobody finished.
import {
  holdsLock,
  isPlanOf,
  isVerified,
  unfinishedRuns,
} from '../apply/earlierRuns/remoteRuns.ts';
import type { SharedJournals } from '../apply/journal/sharedJournals.ts';
import { journalsAt } from '../apply/lock/gitAccountLock.ts';
import { gitLock } from '../apply/lock/gitLock.ts';
import { isFree, type SeenLock } from '../apply/lock/remoteLock.ts';
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

/** What a command does with an account. */
export interface AccountUse {
  readonly account: string;
  /** The path of the files of a run that writes; absent for a command that only reads. */
  readonly writesFor?: string;
  /** Whether a lock is of a run that is gone. By default nobody knows. */
  readonly isGone?: (lock: SeenLock) => boolean;
}

/** Something at a remote that a run which does not use it would overlook. */
export interface Overlooked {
  readonly remote: string;
  readonly is: 'lock' | 'apply' | 'base';
  /** Refuses the run. */
  readonly stop: Stop;
  /** The lock, if it is one. */
  readonly held?: SeenLock;
}

/** Why a run does not use a remote. */
export interface Passing {
  /** What makes it look elsewhere; begins a clause. */
  readonly because: string;
  /** What to do so that it uses the remote. */
  readonly instead: string;
  /** The remote that it uses; absent if its lock is a file. */
  readonly used?: Remote;
}

/** The refs that decide what a run that writes must not overlook. */
export const refsOfWriters = ({ account, writesFor }: AccountUse): readonly string[] =>
  writesFor === undefined ? [] : [lockRef(account), journalRef(account)];

/** The lock and the unfinished applies at the remote with these refs that a run which passes it would overlook. */
export async function writersAt(
  at: { readonly remote: Remote; readonly refs: RefCommits },
  use: AccountUse,
  passing: Passing,
  io: Io,
): Promise<readonly Overlooked[]> {
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
  passing: Passing,
  io: Io,
): Promise<readonly Overlooked[]> {
  const { used } = passing;
  const held = await heldAt(remote, account, io);
  if (held === null || isGone?.(held)) return [];
  // Of one repository with two names, or of a copy of it, the remote that is used decides.
  const own = used && (await heldAt(used, account, io));
  if (own && own.record?.id === held.record?.id) return [];
  const stop = heldStop(held, { remote: remote.name, ref: lockRef(account) }, passing);
  return [{ remote: remote.name, is: 'lock', held, stop }];
}

function heldStop(
  { record }: SeenLock,
  { remote, ref }: { readonly remote: string; readonly ref: string },
  { because, instead, used }: Passing,
): Stop {
  const run = record?.id ?? 'RUN';
  const wait = used === undefined ? '' : ' (`--wait 10m` waits for it)';
  const hint =
    record?.is === 'hold'
      ? `wait until somebody runs \`meshform lock release\`, or ${instead}`
      : `wait until that run ends${wait}, or ${instead}; if its machine is gone, run \`meshform lock break ${run}\``;
  return new Stop(
    EXIT.refused,
    `somebody holds the lock of the account at the remote ${quoted(remote)}, and ${because} would not see that lock:`,
    `${hint}; if the lock is a copy from another remote and its run has ended, remove it with \`git push ${shellWord(remote)} --delete ${shellWord(ref)}\``,
    holderText(record).trimEnd().split('\n'),
  );
}

async function heldAt(remote: Remote, account: string, io: Io): Promise<SeenLock | null> {
  const found = await gitLock(remote, account, io.now).read();
  if (found === null || 'why' in found) return null;
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
    /** Whoever holds the lock there is under way. */
    readonly lock: SeenLock | undefined;
  },
  { because, instead, used }: Passing,
  io: Io,
): Promise<readonly Overlooked[]> {
  const signer = signerIn(io) ?? NOBODY;
  // Nobody believes a journal of another key, here or there.
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

/** The journals at a remote; none of one that does not answer. */
async function journalsOf(remote: Remote, account: string, io: Io): Promise<SharedJournals> {
  const found = await fetchRefs(remote, [journalRef(account)]);
  const atRemote: RefCommits = isFault(found) ? new Map() : found;
  return journalsAt(remote, { atRemote }, { account, now: io.now });
}
