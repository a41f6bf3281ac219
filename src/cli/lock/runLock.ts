// Determines where the lock of a run is: in the Git remote, which also has the bases, or in a file
// of this machine.
import { resolve } from 'node:path';
import type { SharedJournals } from '../../apply/journal/sharedJournals.ts';
import {
  type AccountLock,
  type OuterLock,
  type SharedStore,
  withOuterLock,
} from '../../apply/lock/accountLock.ts';
import { refsBeforeLock } from '../../apply/lock/accountRefs.ts';
import { gitAccountLock } from '../../apply/lock/gitAccountLock.ts';
import type { GitLockSettings, LeftLock } from '../../apply/lock/gitLockSettings.ts';
import { holderOf } from '../../apply/lock/holder.ts';
import { type RefInTheWay, sentenceOfRef } from '../../apply/lock/inTheWay.ts';
import { journalsAt } from '../../apply/lock/journalBeside.ts';
import type { SeenLock } from '../../apply/lock/remoteLock.ts';
import { baseRefsOf, journalRef, lockRef } from '../../base/refName.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { quoted } from '../../model/text/visible.ts';
import type { SharedRefs } from '../../read/environment.ts';
import { folderOf } from '../../read/files/projectFilesAbove.ts';
import { repositoryOf } from '../../read/git/repository.ts';
import type { GitPlace } from '../../read/git/runGit.ts';
import { isFault, type Remote, remoteRefs } from '../../read/remote/remoteRefs.ts';
import { holderText } from '../../report/lockText.ts';
import type { LockChoice, Project } from '../../source/project/project.ts';
import { EXIT } from '../exitCodes.ts';
import { refuseUnseenLock } from '../fileLockCheck.ts';
import { printFindings } from '../findings.ts';
import { type Io, say } from '../io.ts';
import { type OwnRemote, withRemote } from '../remoteOfClone.ts';
import { Stop } from '../stop.ts';
import { tellGoneJournals, tellRestoredJournals } from './foreignRefs.ts';
import { refuseFetchedFrom } from './otherFetchAddress.ts';
import { OtherRemotesOfRun } from './otherRemotesOfRun.ts';
import { unpushedBases } from './unpushedBases.ts';

/** The flags that choose a lock. */
export interface LockFlags {
  readonly lock?: LockChoice;
  /** In milliseconds. */
  readonly wait?: number;
  readonly recordBase?: boolean;
  /** A further lock that the run holds in addition to the lock in the remote. */
  readonly outerLock?: OuterLock;
}

/** Seconds without a renewal after which another run may take over the lock of a run. */
const TTL = 180;

/** The files that a run is for. */
export interface LockedFiles {
  readonly path: string;
  readonly project: Project;
  /** Resolves to the account, if no project file names it. */
  readonly accountBehind: () => Promise<string | undefined>;
}

/** The lock of a run that all machines share, and the bases of its remote. */
export interface RunLock {
  /** The effects of the run, with the bases of the remote once `open` was called. */
  readonly own: Io;
  /**
   * Determines where the lock is, and reads the bases; undefined for a file. Called once the
   * secrets of the run are known, because git must not get them. Throws a `Stop` if the remote does
   * not answer.
   */
  readonly open: () => Promise<AccountLock | undefined>;
  /** The journals at the remote of the lock before the lock is taken; null for a file. Throws the same errors as `open`. */
  readonly journals: () => Promise<SharedJournals | null>;
  /** The name of the lock's remote; undefined for a file. Throws the same errors as `open`. */
  readonly remote: () => Promise<string | undefined>;
}

/** Uses the lock of a run. */
export async function withRunLock<T>(
  files: LockedFiles,
  flags: LockFlags,
  io: Io,
  use: (lock: RunLock) => Promise<T>,
): Promise<T> {
  const folder = folderOf(resolve(io.cwd, files.path));
  const place = { folder, host: io };
  return withRemote(place, files.project.lock_remote, io, openRemote => {
    let shared: SharedRefs | undefined;
    let opening: Promise<FoundLock | null> | undefined;
    const find = (): Promise<FoundLock | null> => {
      opening ??= lockOf(files, { place, openRemote }, flags, io).then(found => {
        shared = found?.shared;
        return found;
      });
      return opening;
    };
    const open = async () => (await find())?.lock;
    const journals = async () => (await find())?.journals() ?? null;
    const remote = async () => (await find())?.remote;
    const own: Io = {
      ...io,
      get shared() {
        return shared;
      },
      openShared: open,
      sharedJournals: journals,
    };
    return use({ own, open, journals, remote });
  });
}

/** A lock in a remote, and the bases at the remote before the lock is taken. */
interface FoundLock {
  readonly lock: AccountLock;
  readonly remote: string;
  readonly shared: SharedRefs;
  readonly journals: () => Promise<SharedJournals>;
}

async function lockOf(
  { path, project, accountBehind }: LockedFiles,
  {
    place,
    openRemote,
  }: { readonly place: GitPlace; readonly openRemote: () => Promise<OwnRemote | null> },
  flags: LockFlags,
  io: Io,
): Promise<FoundLock | null> {
  const choice = flags.lock ?? project.lock ?? 'auto';
  if (flags.lock === 'file' || (choice !== 'git' && repositoryOf(place.folder) === null))
    return null;
  const remote = await openRemote();
  if (remote === null) return orFile(choice, withoutRemote);
  const account = project.account ?? (await accountBehind());
  if (account === undefined) return orFile(choice, noAccount);
  const use = { account, writesFor: path };
  if (choice === 'file') {
    await refuseUnseenLock(remote, use, io);
    return null;
  }
  const others = new OtherRemotesOfRun(remote, use, io);
  const wait = await others.settle(flags.wait ?? 0);
  const isChosen = choice === 'git' || flags.recordBase === true;
  if (!isChosen && !(await isShared(remote, account))) return null;
  const isNamed = project.account !== undefined;
  const before = await refsOrStop(remote, { account, isNamed }, io);
  const holder = await holderOf(place, io);
  const ttl = project.lock_ttl ?? TTL;
  const taking = { account, before, holder, ttl, wait, path };
  const lock = await lockAt(remote, taking, flags.outerLock, io);
  const journals = () => journalsAt(remote, before, { account, now: io.now });
  return { lock: others.checkedBy(lock), remote: remote.name, shared: before.shared, journals };
}

// The refs of an account at the remote before the lock is taken. Reports problems with them.
async function refsOrStop(
  remote: OwnRemote,
  { account, isNamed }: { readonly account: string; readonly isNamed: boolean },
  io: Io,
): Promise<NonNullable<GitLockSettings['before']>> {
  const found = await refsBeforeLock(remote, account, { isNamed });
  if (isFault(found)) throw unreachable(remote, found);
  const [inTheWay] = found.inTheWay;
  if (inTheWay !== undefined) throw standsInTheWay(remote, inTheWay);
  await refuseFetchedFrom(remote, account, found.before);
  printFindings(unpushedBases(remote, found), io);
  tellGoneJournals(found, { remote, account }, io);
  return found;
}

/** How the lock of an account is taken. */
interface Taking extends Pick<GitLockSettings, 'account' | 'before' | 'holder' | 'ttl' | 'wait'> {
  /** The path of the files, for messages. */
  readonly path: string;
}

/** The lock of an account in a remote, inside the outer lock that the run already holds. */
async function lockAt(
  remote: OwnRemote,
  { path, ...settings }: Taking,
  outerLock: OuterLock | undefined,
  io: Io,
): Promise<AccountLock> {
  const { holder, ttl } = settings;
  await outerLock?.announceHolder(holder.id);
  const own = gitAccountLock(remote, {
    ...settings,
    now: io.now,
    isEnded: outerLock && (({ id }) => outerLock.isLost(id)),
    clocks: { monotonic: io.monotonic, wall: io.now },
    sleep: io.sleep,
    onWaiting: (seen, milliseconds) => tellHolder(seen, milliseconds, io),
    onLeft: left => say(io.stderr, leftText(left, { path, remote: remote.name })),
    onRestored: () => tellRestoredJournals({ remote, account: settings.account, path }, io),
    ...(io.interrupts && { signal: io.interrupts.first }),
  });
  const lock = toldIfEnded(own, { run: holder.id, ttl }, { path, remote: remote.name }, io);
  return outerLock ? withOuterLock(outerLock, lock) : lock;
}

function tellHolder({ record, commit }: SeenLock, milliseconds: number, io: Io): void {
  const seconds = Math.ceil(milliseconds / 1000);
  say(
    io.stderr,
    `Another apply holds the lock of the account. This run takes the lock over if nobody renews it for ${seconds} s:`,
  );
  io.stderr.write(holderText(record, commit));
}

// Prints what remains at the remote if the process ends while it holds the lock.
function toldIfEnded(
  lock: AccountLock,
  { run, ttl }: Omit<LeftLock, 'why'>,
  at: { readonly path: string; readonly remote: string },
  { interrupts }: Io,
): AccountLock {
  if (interrupts === undefined) return lock;
  return {
    take: async (begins, reached) => {
      const held = await lock.take(begins, reached);
      if ('refused' in held) return held;
      interrupts.held = leftText({ run, ttl, why: 'it is not released' }, at);
      const isGivenBack = (): void => {
        interrupts.held = null;
      };
      const release = async (): Promise<void> => {
        await held.release();
        isGivenBack();
      };
      return { ...held, release, ...(held.store && { store: toldAtEnd(held.store, isGivenBack) }) };
    },
  };
}

// The push that records a base also releases the lock.
const toldAtEnd = (store: SharedStore, isGivenBack: () => void): SharedStore => ({
  ...store,
  end: async (...base) => {
    const pushed = await store.end(...base);
    if (pushed.is === 'done') isGivenBack();
    return pushed;
  },
});

const leftText = (
  { why, run, ttl }: LeftLock,
  { path, remote }: { readonly path: string; readonly remote: string },
): string =>
  `note: the remote ${quoted(remote)} may still have the lock of this run, ${run}: ${why}; see it with \`meshform lock show ${shellWord(path)}\`. Another run takes it over if nobody has moved it for ${ttl} s`;

function orFile(choice: LockChoice, stop: () => Stop): null {
  if (choice === 'git') throw stop();
  return null;
}

// Whether other machines use the lock in the remote. Only the remote shows this.
async function isShared(remote: Remote, account: string): Promise<boolean> {
  const refs = [lockRef(account), journalRef(account), `${baseRefsOf(account)}*`];
  const found = await remoteRefs(remote, refs);
  if (isFault(found)) throw unreachable(remote, found);
  return found.size > 0;
}

/** The `Stop` for a ref at a remote that would prevent every apply from completing. */
function standsInTheWay({ name }: Pick<Remote, 'name'>, found: RefInTheWay): Stop {
  const { why, hint } = sentenceOfRef(found, name);
  return new Stop(EXIT.refused, `the remote ${quoted(name)} cannot be used: ${why}`, hint);
}

function unreachable(
  { name }: Remote,
  { why, hint }: { readonly why: string; readonly hint?: string },
): Stop {
  const stop = new Stop(
    EXIT.refused,
    `it is unknown whether another machine applies: the remote ${quoted(name)} cannot be read: ${why}`,
    hint ??
      'make the remote reachable for git, or add --lock file if no other machine applies to this account',
  );
  // Marks the refusal as temporary, so that a run for many accounts retries this account later.
  return Object.assign(stop, { refused: 'remote-unreachable' });
}

const withoutRemote = (): Stop =>
  new Stop(
    EXIT.invalid,
    '`lock: git` needs a clone with a remote',
    'add one with `git remote add origin ADDRESS`, or use --lock file',
  );

const noAccount = (): Stop =>
  new Stop(
    EXIT.invalid,
    '`lock: git` needs an account with a group All, which identifies it',
    'use --lock file',
  );
