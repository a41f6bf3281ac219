// What a run that writes must not overlook at a remote that it does not use: who holds the lock of the account, and applies that
// nobody finished.
import { isPlanOf, isVerified, unfinishedRuns } from '../apply/earlierRuns/remoteRuns.ts';
import type { SharedJournals } from '../apply/journal/sharedJournals.ts';
import { journalsAt } from '../apply/lock/gitAccountLock.ts';
import { gitLock } from '../apply/lock/gitLock.ts';
import { isFree, type SeenLock } from '../apply/lock/remoteLock.ts';
import { journalRef, lockRef } from '../base/refName.ts';
import { shortRun } from '../model/runName.ts';
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

/** Throws a `Stop` if the remote with these refs has a lock or an unfinished apply that a run which passes it would overlook. */
export async function refuseWriters(
  at: { readonly remote: Remote; readonly refs: RefCommits },
  use: AccountUse,
  passing: Passing,
  io: Io,
): Promise<void> {
  const { account, writesFor } = use;
  if (writesFor === undefined) return;
  if (at.refs.has(lockRef(account))) await refuseHeld(at.remote, account, passing, io);
  if (at.refs.has(journalRef(account)))
    await refuseUnfinished(at.remote, { account, path: writesFor }, passing, io);
}

async function refuseHeld(
  remote: Remote,
  account: string,
  { because, instead, used }: Passing,
  io: Io,
): Promise<void> {
  const held = await heldAt(remote, account, io);
  if (held === null) return;
  // Of one repository with two names, or of a copy of it, the remote that is used decides.
  const own = used && (await heldAt(used, account, io));
  if (own && own.record?.id === held.record?.id) return;
  const isHold = held.record?.is === 'hold';
  const run = held.record?.id ?? 'RUN';
  throw new Stop(
    EXIT.refused,
    `somebody holds the lock of the account at the remote ${quoted(remote.name)}, which ${because} would not see:`,
    isHold
      ? `wait until \`meshform lock release\`, or ${instead}`
      : `wait until that run ends, or ${instead}; if its machine is gone, \`meshform lock break ${run}\``,
    holderText(held.record).trimEnd().split('\n'),
  );
}

async function heldAt(remote: Remote, account: string, io: Io): Promise<SeenLock | null> {
  const found = await gitLock(remote, account, io.now).read();
  if (found === null || 'why' in found) return null;
  return isFree(found, { monotonic: io.monotonic, wall: io.now }) ? null : found;
}

async function refuseUnfinished(
  remote: Remote,
  { account, path }: { readonly account: string; readonly path: string },
  { because, instead, used }: Passing,
  io: Io,
): Promise<void> {
  const signer = signerIn(io) ?? NOBODY;
  // Nobody believes a journal of another key, here or there.
  const open = (await unfinishedRuns(await journalsOf(remote, account, io), signer)).filter(
    run => isVerified(run) && isPlanOf(run.read.plan, { path, cwd: io.cwd }),
  );
  if (open.length === 0) return;
  const own = used && (await journalsOf(used, account, io));
  const [unseen] = open.filter(({ run }) => own?.nameOf(run) === undefined);
  if (unseen === undefined) return;
  const run = shortRun(unseen.run);
  throw new Stop(
    EXIT.refused,
    `nobody finished the apply ${run} of these files, whose journal is at the remote ${quoted(remote.name)}, which ${because} would not see`,
    `${instead}, and continue it with \`meshform apply --resume ${run}\`, or close it with \`--abandon ${run}\``,
  );
}

/** The journals at a remote; none of one that does not answer. */
async function journalsOf(remote: Remote, account: string, io: Io): Promise<SharedJournals> {
  const found = await fetchRefs(remote, [journalRef(account)]);
  const atRemote: RefCommits = isFault(found) ? new Map() : found;
  return journalsAt(remote, { atRemote }, { account, now: io.now });
}
