// The place where the bases of a folder are moved: the Git remote if it has refs of the account,
// otherwise the clone.
import { resolve } from 'node:path';
import type { SharedJournals, SharedNote } from '../../apply/journal/sharedJournals.ts';
import { whyNotMoved } from '../../apply/lock/accountLock.ts';
import { sharedRefs } from '../../apply/lock/accountRefs.ts';
import { journalsAt } from '../../apply/lock/journalBeside.ts';
import { pushWithJournals } from '../../apply/lock/pushJournals.ts';
import { noteOf } from '../../apply/recordedBase/newest.ts';
import type { BaseCommit } from '../../model/recordedBase.ts';
import type { Signer } from '../../model/signer.ts';
import { quoted } from '../../model/text/visible.ts';
import type { SharedRefs } from '../../read/environment.ts';
import { folderOf } from '../../read/files/projectFilesAbove.ts';
import { nameOfBase } from '../../read/git/baseChain.ts';
import { moveRef } from '../../read/git/localRefs.ts';
import { type GitFault, type GitPlace, gitFault } from '../../read/git/runGit.ts';
import {
  copyBase,
  makeBase,
  type NewBase,
  removeRef,
  storeBase,
} from '../../read/git/storeBase.ts';
import type { StoredBase } from '../../read/git/storedBases.ts';
import {
  isFault,
  pushRefs,
  type RefCommits,
  type RefMove,
  type Remote,
} from '../../read/remote/remoteRefs.ts';
import { EXIT } from '../exitCodes.ts';
import { refuseUnseenLock } from '../fileLockCheck.ts';
import { refuseBaseOfFile } from '../files/baseOfFile.ts';
import type { Io } from '../io.ts';
import { refuseOtherRemotes } from '../otherRemotes.ts';
import { projectOrStop } from '../project.ts';
import { withRemote } from '../remoteOfClone.ts';
import { Stop } from '../stop.ts';
import { type FolderOfBase, folderOfBase } from './ownBase.ts';

/** The data of a new base besides its commit. */
interface Recording {
  /** Signs the note that the base is the newest. */
  readonly signer: Signer;
  /** The time in the document of the base. */
  readonly recordedAt: string;
  /** The base at another ref that the new base replaces. */
  readonly replaced?: StoredBase | undefined;
}

/** The folder of a `base` command, and the functions that move its bases. */
export interface BaseStore extends FolderOfBase {
  /** The name of the remote; undefined if the bases are in the clone. */
  readonly remote?: string;
  /** The journals of all machines at the remote. */
  readonly journals?: () => Promise<SharedJournals>;
  /**
   * Writes a base, moves its ref, and removes the ref of the base that it replaces. Either all or
   * none of this is done. At a remote, the same push notes that the base is the newest. Resolves to
   * the base, or to the reason of a failure.
   */
  readonly record: (base: NewBase, recording: Recording) => Promise<BaseCommit | GitFault>;
  /**
   * Moves a ref to an existing commit; null removes the ref. At a remote, the same push adds a
   * note. Resolves to null, or to the reason of a failure.
   */
  readonly move: (move: RefMove, note: SharedNote | undefined) => Promise<GitFault | null>;
  /**
   * Adds a note at the remote, if there is a remote. Resolves to null, or to the reason of a
   * failure.
   */
  readonly note: (note: SharedNote) => Promise<GitFault | null>;
}

/** Calls `use` with the bases of the folder at `path`. Throws a `Stop` outside a repository, or if the remote cannot be read. */
export async function withBaseStore<T>(
  path: string,
  io: Io,
  use: (store: BaseStore) => Promise<T>,
): Promise<T> {
  refuseBaseOfFile(path, 'command', io);
  const own = await folderOfBase(path, io);
  const { lock, lock_remote: chosen } = projectOrStop(io, folderOf(resolve(io.cwd, path)));
  return withRemote(own.place, chosen, io, async open => {
    const remote = await open();
    if (remote === null) return use(inClone(own));
    if (lock === 'file') {
      await refuseUnseenLock(remote, { account: own.account }, io);
      return use(inClone(own));
    }
    await refuseOtherRemotes(remote, { account: own.account }, io);
    const found = await sharedRefs(remote, own.account);
    if (isFault(found)) throw unreadable(remote, found);
    const isShared = lock === 'git' || found.atRemote.size > 0;
    if (!isShared) return use(inClone(own));
    const journals = () => journalsAt(remote, found, { account: own.account, now: io.now });
    return use({ ...atRemote(own, remote, { ...found, journals, now: io.now }), journals });
  });
}

/** A stored base, in the form of a note. */
export const newestOf = (stored: StoredBase): BaseCommit => ({
  ref: stored.ref,
  recordedAt: stored.base.recordedAt,
  ...nameOfBase(stored),
});

function inClone(own: FolderOfBase): BaseStore {
  const { place } = own;
  return {
    ...own,
    record: async (base, { recordedAt, replaced }) => {
      const stored = await storeBase(place, base);
      if ('why' in stored) return stored;
      const fault = replaced && (await removeRef(place, replaced.ref, replaced.commit));
      return fault ?? { ref: base.ref, recordedAt, ...nameOfBase({ ...base, ...stored }) };
    },
    move: move => movedHere(place, move),
    note: () => Promise.resolve(null),
  };
}

async function movedHere(place: GitPlace, { ref, from, to }: RefMove): Promise<GitFault | null> {
  try {
    await moveRef(place, { ref, from, to });
    return null;
  } catch (error) {
    return gitFault(error);
  }
}

/** The state at the remote of the account of a folder. */
interface FoundAtRemote {
  readonly shared: SharedRefs;
  readonly atRemote: RefCommits;
  readonly journals: () => Promise<SharedJournals>;
  readonly now: () => number;
}

function atRemote(own: FolderOfBase, remote: Remote, found: FoundAtRemote): BaseStore {
  const place = { ...own.place, host: { ...own.place.host, shared: found.shared } };
  return {
    ...own,
    place,
    remote: remote.name,
    record: async (base, recording) => {
      try {
        return await recordAt(remote, { own, found }, { ...recording, base });
      } catch (error) {
        return gitFault(error);
      }
    },
    move: async (move, note) => {
      const from = found.atRemote.get(move.ref) ?? null;
      const moves = [{ ...move, from }];
      const fault = await pushTo(remote, found, { moves, notes: note ? [note] : [] });
      if (fault) return fault;
      await movedHere(own.place, move);
      return null;
    },
    note: note => pushTo(remote, found, { moves: [], notes: [note] }),
  };
}

/** A folder, and the state at the remote of its account. */
interface FolderAtRemote {
  readonly own: FolderOfBase;
  readonly found: FoundAtRemote;
}

async function recordAt(
  remote: Remote,
  { own, found }: FolderAtRemote,
  { base, signer, recordedAt, replaced }: Recording & { readonly base: NewBase },
): Promise<BaseCommit | GitFault> {
  const { shared, atRemote: there } = found;
  const host = { ...own.place.host, shared };
  const made = await makeBase({ ...own.place, host, objects: shared.objects }, base);
  const { commit, objects } = made;
  const moves = [
    { ref: base.ref, from: there.get(base.ref) ?? null, to: commit, objects },
    ...(replaced ? removalOf(replaced, there) : []),
  ];
  const recorded = { ref: base.ref, recordedAt, ...nameOfBase({ ...base, commit }) };
  const forgottenAt = new Date(found.now()).toISOString();
  const notes = [
    noteOf({ base: recorded }, signer),
    ...(replaced ? [noteOf({ base: newestOf(replaced), forgottenAt }, signer)] : []),
  ];
  const fault = await pushTo(remote, found, { moves, notes });
  if (fault) return fault;
  await copyBase(own.place, base, made);
  if (replaced) await removeRef(own.place, replaced.ref, replaced.commit);
  return recorded;
}

function removalOf({ ref }: StoredBase, there: RefCommits): readonly RefMove[] {
  const from = there.get(ref);
  return from === undefined ? [] : [{ ref, from, to: null }];
}

/** The moves and the notes of one push. */
interface PushedTogether {
  readonly moves: readonly RefMove[];
  readonly notes: readonly SharedNote[];
}

async function pushTo(
  remote: Remote,
  found: FoundAtRemote,
  { moves, notes }: PushedTogether,
): Promise<GitFault | null> {
  const journals = await found.journals();
  for (const { name, text } of notes) journals.put(name, text);
  const result = await pushWithJournals(remote, journals, more =>
    pushRefs(remote, [...moves, ...more]),
  );
  if (result.is === 'done') return null;
  return { is: 'other', why: `the remote ${quoted(remote.name)}: ${whyNotMoved(result).why}` };
}

const unreadable = (
  { name }: Remote,
  { why, hint }: { readonly why: string; readonly hint?: string },
): Stop =>
  new Stop(
    EXIT.failed,
    `the bases cannot be read from the remote ${quoted(name)}: ${why}`,
    hint ?? 'check the remote with `git ls-remote`; bases of this clone alone need `lock: file`',
  );
