// The refs and the lock of an account at the Git remote, for commands that only read. They take no lock, and push nothing.
import { resolve } from 'node:path';
import type { SharedJournals } from '../../apply/journal/sharedJournals.ts';
import { type AtRemote, sharedRefs } from '../../apply/lock/accountRefs.ts';
import { gitLock } from '../../apply/lock/gitLock.ts';
import { journalsAt } from '../../apply/lock/journalBeside.ts';
import { baseRefsOf, formerRef, journalRef } from '../../base/refName.ts';
import type { LockRecord } from '../../model/lockRecord.ts';
import { quoted } from '../../model/text/visible.ts';
import type { SharedRefs } from '../../read/environment.ts';
import { folderOf } from '../../read/files/projectFilesAbove.ts';
import { objectsOfRefs } from '../../read/git/localRefs.ts';
import { repositoryOf } from '../../read/git/repository.ts';
import type { GitPlace } from '../../read/git/runGit.ts';
import { isFault, type Remote } from '../../read/remote/remoteRefs.ts';
import type { LockChoice } from '../../source/project/project.ts';
import { EXIT } from '../exitCodes.ts';
import { refuseUnseenLock } from '../fileLockCheck.ts';
import { printFindings } from '../findings.ts';
import type { SourceFlags } from '../flags/flags.ts';
import { type Io, say } from '../io.ts';
import { refuseOtherRemotes } from '../otherRemotes.ts';
import { projectBefore } from '../project.ts';
import { type OwnRemote, withRemote } from '../remoteOfClone.ts';
import { Stop } from '../stop.ts';
import { tellGoneJournals, tellInTheWay } from './foreignRefs.ts';
import { unpushedBases } from './unpushedBases.ts';

/** The runs at the remote. */
interface SharedRuns {
  readonly journals: SharedJournals;
  /** The content of the account's lock; null if nobody holds it, or if that is unknown. */
  readonly lock: () => Promise<LockRecord | null>;
}

/**
 * Resolves to the runs of the account at the remote, once the bases of the remote are opened;
 * undefined if they do not count.
 */
export type OpenedRuns = () => Promise<SharedRuns | undefined>;

/**
 * Calls `use` with an `Io` for a command that only reads. The `Io` contains the bases of the
 * account at the remote. If the remote has none, or the lock is a file, it contains the bases of
 * the clone.
 */
export async function withSharedBases<T>(
  path: string,
  { base, recordBase }: Pick<SourceFlags, 'base' | 'recordBase'>,
  io: Io,
  use: (io: Io, runs: OpenedRuns) => Promise<T>,
): Promise<T> {
  const folder = folderOf(resolve(io.cwd, path));
  // The base shows whether an account of a fleet had a layer that does not exist now.
  const { absent = [] } = io.projectFiles?.inFleet?.(folder) ?? {};
  const isNeeded = base === 'auto' || recordBase === true || absent.length > 0;
  if (repositoryOf(folder) === null) return use(io, NO_RUNS);
  const { account, lock = 'auto', lock_remote: chosen } = projectBefore(io, folder);
  if (account === undefined) return use(io, NO_RUNS);
  if (!isNeeded) {
    if (lock !== 'file') await tellUnreadJournals({ folder, host: io }, account, io);
    return use(io, NO_RUNS);
  }
  return withRemote({ folder, host: io }, chosen, io, async openRemote => {
    const open = async () => {
      const opened = await openRemote();
      // A user who only reads may have no access to the repository to which others push.
      return opened && accountAt({ ...opened, isPushed: false }, { account, lock }, io);
    };
    const { own, runs } = openedOnce(io, open);
    return use(own, runs);
  });
}

/**
 * An `Io` with the bases at a remote, and the runs there. Both are available after the remote was
 * opened.
 */
interface OpenedRemote {
  readonly own: Io;
  readonly runs: OpenedRuns;
}

// Opens the remote when the bases are first requested, and only once.
function openedOnce(io: Io, open: () => Promise<AccountAtRemote | undefined | null>): OpenedRemote {
  let found: AccountAtRemote | undefined | null;
  let opening: Promise<void> | undefined;
  const own: Io = {
    ...io,
    get shared() {
      return found?.shared;
    },
    get withoutBases() {
      return found?.withoutBases;
    },
    openShared: () => {
      opening ??= open().then(opened => {
        found = opened;
      });
      return opening;
    },
    sharedJournals: async () => {
      await opening;
      return found?.runs.journals;
    },
  };
  const runs = async () => {
    await opening;
    return found?.runs;
  };
  return { own, runs };
}

/** An account at a remote. */
interface AccountAtRemote {
  /** Undefined if the bases of the clone count. */
  readonly shared: SharedRefs | undefined;
  /** The name of the remote, if it has no base of the account. */
  readonly withoutBases: string | undefined;
  readonly runs: SharedRuns;
}

// Reads an account at a remote, and prints problems there; undefined if the remote cannot be read
// or does not count.
async function accountAt(
  remote: OwnRemote,
  { account, lock }: { readonly account: string; readonly lock: LockChoice },
  io: Io,
): Promise<AccountAtRemote | undefined> {
  if (lock === 'file') {
    await refuseUnseenLock(remote, { account }, io);
    return undefined;
  }
  await refuseOtherRemotes(remote, { account }, io);
  const isRequired = lock === 'git';
  const found = await refsAt(remote, { account, isRequired }, io);
  if (found === undefined) return undefined;
  printFindings(unpushedBases(remote, found), io);
  tellInTheWay(found, remote, io);
  tellGoneJournals(found, { remote, account }, io);
  const journals = await journalsAt(remote, found, { account, now: io.now });
  const hasAny = hasBases(found, account);
  return {
    shared: isRequired || hasAny ? found.shared : undefined,
    withoutBases: hasAny ? undefined : remote.name,
    runs: { journals, lock: () => lockNow(remote, account, io) },
  };
}

// Warns that a clone may lack journals, because a clone contains them only if somebody has fetched
// them. The remote is not asked, because every plan would then need a connection.
async function tellUnreadJournals(place: GitPlace, account: string, io: Io): Promise<void> {
  const fetched = await objectsOfRefs(place, [journalRef(account)]);
  if (fetched === null || fetched.size === 0) return;
  say(
    io.stderr,
    'note: a remote of this clone has journals of applies, which are read only with --base auto: without it, meshform does not report what an unfinished apply of another machine left',
  );
}

const NO_RUNS: OpenedRuns = async () => undefined;

/**
 * The content of an account's lock at a remote; null if nobody holds the lock, or if meshform did
 * not write it. If the remote does not respond, prints a note and resolves to null.
 */
export async function lockNow(remote: Remote, account: string, io: Io): Promise<LockRecord | null> {
  const found = await gitLock(remote, account, io.now).read();
  if (found === null || 'record' in found) return found?.record ?? null;
  say(
    io.stderr,
    `note: the lock of the account at the remote ${quoted(remote.name)} cannot be read, so a run that is under way counts as unfinished: ${found.why}`,
  );
  return null;
}

/**
 * The refs of the remote. Undefined if they cannot be read; in that case, the bases of the clone
 * are used.
 */
async function refsAt(
  remote: Remote,
  { account, isRequired }: { readonly account: string; readonly isRequired: boolean },
  io: Io,
): Promise<AtRemote | undefined> {
  const found = await sharedRefs(remote, account);
  if (isFault(found)) {
    if (isRequired) throw unreadable(remote, found);
    const note = `the bases of this clone are used, because the remote ${quoted(remote.name)} cannot be read`;
    say(io.stderr, `note: ${note}: ${found.why}`);
    return undefined;
  }
  return found;
}

function hasBases({ atRemote }: AtRemote, account: string): boolean {
  const former = formerRef(account);
  return [...atRemote.keys()].some(ref => ref === former || ref.startsWith(baseRefsOf(account)));
}

const unreadable = (
  { name }: Remote,
  { why, hint }: { readonly why: string; readonly hint?: string },
): Stop =>
  new Stop(
    EXIT.invalid,
    `the recorded base cannot be read from the remote ${quoted(name)}: ${why}`,
    hint ?? 'make the remote reachable for git, or use a folder as the base: --base ./FOLDER',
  );
