// The lock of an account in a Git remote. The remote also has the recorded bases.
import { digestOfBase } from '../../base/baseDocument.ts';
import {
  ALL_BASES,
  formerRef,
  isBaseOfAny,
  isBaseOfOther,
  isInTheWay,
  journalRef,
  lockRef,
} from '../../base/refName.ts';
import { present } from '../../model/errors.ts';
import type { BaseCommit } from '../../model/recordedBase.ts';
import { nameText } from '../../model/text/visible.ts';
import type { SharedRefs } from '../../read/environment.ts';
import { isOrFollows } from '../../read/git/baseChain.ts';
import { isKnownCommit } from '../../read/git/knownCommits.ts';
import type { ListedRef } from '../../read/git/listRemote.ts';
import { localBases } from '../../read/git/localRefs.ts';
import {
  type GitFault,
  type GitPlace,
  gitFault,
  isPushedElsewhere,
} from '../../read/git/runGit.ts';
import { storedBase } from '../../read/git/storedBases.ts';
import { messageOf } from '../../read/remote/lockAtRemote.ts';
import {
  commitsOf,
  fetchListed,
  isFault,
  listedRefs,
  type Pushed,
  pushRefs,
  type RefCommits,
  type RefMove,
  type Remote,
} from '../../read/remote/remoteRefs.ts';
import {
  type JournalCopy,
  type JournalsMove,
  SharedJournals,
  type SharedNote,
} from '../journal/sharedJournals.ts';
import { lockOfMessage } from '../lockRecord.ts';
import type { AccountLockRefusal, LockRefusal } from '../refusal.ts';
import type {
  AccountLock,
  Beginning,
  FirstJournal,
  HeldAccountLock,
  LockHolder,
  SharedStore,
} from './accountLock.ts';
import { otherServerRefusal, type ReachedServer } from './accountServer.ts';
import { endingRemote } from './endingRemote.ts';
import { gitLock } from './gitLock.ts';
import { inTheWayAmong, type RefInTheWay, refsOf, sentenceOfRef } from './inTheWay.ts';
import { oneByOne } from './oneByOne.ts';
import { pushWithJournals } from './pushJournals.ts';
import {
  type HeldRemoteLock,
  isFree,
  type JoinedRefMove,
  type LockSettings,
  type NotTaken,
  takeRemoteLock,
} from './remoteLock.ts';

/** The settings with which a lock in a Git remote is taken. */
export interface GitLockSettings extends LockSettings {
  readonly account: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /**
   * The refs of the account and of its lock, from a single listing of the remote. By default, the
   * remote is listed when they are needed.
   */
  readonly before?: BeforeAtRemote;
  /**
   * Receives the reason why the lock could not be released, or why it is unknown whether this run
   * took the lock.
   */
  readonly onLeft?: ((left: LeftLock) => void) | undefined;
  /** Called once this run has restored journals that somebody removed at the remote in the meantime. */
  readonly onRestored?: (() => void) | undefined;
}

/** A lock that the remote may still have for a run that has ended. */
export interface LeftLock {
  readonly why: string;
  /** The id of the run. */
  readonly run: string;
  /** How long others wait before they take the lock over, in seconds. */
  readonly ttl: number;
}

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

/** The refs of the account and its journals before the lock is taken. */
interface SeenBefore {
  readonly listing: BeforeAtRemote;
  readonly journals: SharedJournals;
}

// Undefined if nobody has listed the remote yet and the run does not need the listing, or if the
// remote cannot be listed.
async function seenBefore(
  remote: Remote,
  settings: GitLockSettings,
  isNeeded: boolean,
): Promise<SeenBefore | undefined> {
  const { account, before } = settings;
  const listing = before ?? (isNeeded ? await refsBeforeLock(remote, account) : undefined);
  if (listing === undefined || isFault(listing)) return undefined;
  return { listing, journals: await journalsAt(remote, listing, settings) };
}

const serverRefusal = async (
  journals: SharedJournals,
  reached: ReachedServer | undefined,
  { remote: { name }, account }: { readonly remote: Remote; readonly account: string },
): Promise<AccountLockRefusal | null> =>
  reached ? otherServerRefusal({ account, remote: name }, journals, reached) : null;

/**
 * A journal that was begun before the lock was taken, or the state with which it could have begun.
 */
interface BesideLock {
  /** Undefined if no journal was begun. The lock is then taken without a journal. */
  readonly first: FirstJournal | undefined;
  readonly joinedMove: JoinedRefMove;
  /**
   * Returns the journals under the lock. `now` is null if the journals are unchanged since the push
   * of the lock; otherwise, they are read again.
   */
  readonly underLock: (now: AtRemote | null) => Promise<SharedJournals>;
  /** The commit that the push of the lock gave the journals, if their ref did not exist before; otherwise null. */
  readonly made: () => Promise<string | null>;
  /**
   * Returns whether everything that was read before the lock is still valid, according to the refs
   * of the account under the lock.
   */
  readonly isUnmoved: (atRemote: RefCommits, isBegun: boolean) => boolean;
}

/**
 * Moves the ref of the journals together with the lock. One listing of the remote shows that nobody
 * holds the lock, and shows the bases and the journals. After the listing, the journal is begun
 * with the last position of the audit log. The push succeeds only if neither ref has moved since
 * the listing. Every run moves the journals before it writes to the account, so no run has written
 * anything since the listing. Undefined if this cannot be shown.
 */
async function journalBeside(
  { listing, journals }: SeenBefore,
  remote: Remote,
  settings: GitLockSettings,
  begins: Beginning,
): Promise<BesideLock | undefined> {
  if (!(await isFreeIn(listing.before, remote, settings))) return undefined;
  const { atRemote, shared } = listing;
  const longestWrite = thirdOf(settings.ttl);
  const first = await begins(settings.holder, { shared, journals, longestWrite });
  if (first !== undefined) journals.put(first.name, first.text);
  return new JournalBeside(first, journals, atRemote);
}

/**
 * The journals of an account. If a journal was begun, the push of the lock also moves their ref.
 */
class JournalBeside implements BesideLock {
  readonly first: FirstJournal | undefined;
  readonly joinedMove: JoinedRefMove;
  readonly #journals: SharedJournals;
  /** The refs of the account before the lock. */
  readonly #before: RefCommits;
  #move: Promise<JournalsMove | null> | undefined;
  /** Whether the lock is taken without the journals. */
  #isAlone: boolean;
  #hasWaited = false;

  constructor(first: FirstJournal | undefined, journals: SharedJournals, before: RefCommits) {
    this.first = first;
    this.#journals = journals;
    this.#before = before;
    this.#isAlone = first === undefined;
    this.joinedMove = {
      move: async () => {
        if (this.#isAlone) return null;
        this.#move ??= journals.move();
        return this.#move;
      },
      failed: pushed => this.#failed(pushed),
      giveUp: () => {
        this.#isAlone = true;
        this.#hasWaited = true;
      },
    };
  }

  async underLock(now: AtRemote | null): Promise<SharedJournals> {
    const journals = this.#journals;
    const moved = await this.#move;
    const there = now ? now.atRemote.get(journals.ref) : moved?.to;
    const commit = there ?? null;
    if (this.first) journals.takeBack(this.first.name);
    if (moved && moved.to === commit) journals.moved(moved);
    else await journals.follow(commit);
    return journals;
  }

  async made(): Promise<string | null> {
    const moved = this.#isAlone ? null : await this.#move;
    return moved && moved.from === null ? moved.to : null;
  }

  isUnmoved(under: RefCommits, isBegun: boolean): boolean {
    const refs = new Set([...this.#before.keys(), ...under.keys()]);
    // The push has already shown that the journals have not moved, because it expected their
    // commit.
    if (isBegun) refs.delete(this.#journals.ref);
    return !this.#hasWaited && [...refs].every(ref => under.get(ref) === this.#before.get(ref));
  }

  #failed(pushed: Pushed): void {
    const { ref } = this.#journals;
    if (pushed.is === 'moved') this.#isAlone ||= pushed.refs.get(ref) !== this.#before.get(ref);
    if (pushed.is !== 'refused') return;
    this.#move = undefined;
    // If the remote moves refs only forward, it refuses the first push.
    this.#isAlone ||= !this.#journals.keepHistory();
  }
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

/**
 * The journals of an account at a remote. `atRemote`: the refs of the remote, already fetched into the clone. Rejects if git
 * fails.
 */
export function journalsAt(
  { objects: { place } }: Remote,
  { atRemote }: Pick<AtRemote, 'atRemote'>,
  { account, now, onRestored }: Pick<GitLockSettings, 'account' | 'now' | 'onRestored'>,
): Promise<SharedJournals> {
  const ref = journalRef(account);
  return SharedJournals.open({ place, ref, now, onRestored }, atRemote.get(ref) ?? null);
}

// The journals under the lock. Files that existed before the lock was taken and are missing now are
// restored.
async function journalsUnder(
  { remote, seen }: TakenLock,
  under: AtRemote,
  settings: GitLockSettings,
): Promise<SharedJournals> {
  const journals = seen?.journals ?? (await journalsAt(remote, under, settings));
  await journals.follow(under.atRemote.get(journals.ref) ?? null);
  return journals;
}

/**
 * Fetches the refs of an account and their objects from a remote. Resolves to the refs, or to the
 * reason why they cannot be read.
 */
export async function sharedRefs(remote: Remote, account: string): Promise<AtRemote | GitFault> {
  const found = await listed(remote, account);
  return isFault(found) ? found : withOwn(remote, account, found);
}

const listed = (
  remote: Remote,
  account: string,
  more: readonly string[] = [],
): Promise<readonly ListedRef[] | GitFault> =>
  fetchListed(
    remote,
    [...refsOf(account), ...more],
    ref => ref === formerRef(account) || !isInTheWay(ref, account),
  );

/** The refs of an account, and the ref of its lock from the same listing. */
type BeforeAtRemote = AtRemote & { readonly before: RefCommits };

/**
 * Fetches the refs of an account like `sharedRefs`, with the ref of the lock from the same listing.
 * If the files do not name the account, the listing also shows whether the remote has a base of any
 * account.
 */
export async function refsBeforeLock(
  remote: Remote,
  account: string,
  { isNamed = true }: { readonly isNamed?: boolean } = {},
): Promise<BeforeAtRemote | GitFault> {
  const found = await listed(remote, account, isNamed ? [] : ALL_BASES);
  if (isFault(found)) return found;
  const own = found.filter(({ ref }) => !isBaseOfOther(ref, account));
  const at = await withOwn(remote, account, own);
  const { objects, name } = remote;
  // Other bases may be in the repository from which git fetches.
  const isAll = !isNamed && !(await isPushedElsewhere(objects.place, name));
  const ofAny = { remote: name, ref: found.find(({ ref }) => isBaseOfAny(ref))?.ref };
  return {
    ...at,
    ...(isAll && { shared: { ...at.shared, ofAny } }),
    before: commitsOf(own),
  };
}

async function withOwn(
  { objects: { place } }: Remote,
  account: string,
  listing: readonly ListedRef[],
): Promise<AtRemote> {
  const inTheWay = inTheWayAmong(listing, account);
  const found = commitsOf(listing);
  const areJournalsGone = await hasNoJournals(place, found, account);
  const foreign = new Set([lockRef(account), ...inTheWay.map(({ ref }) => ref)]);
  const atRemote = new Map([...found].filter(([ref]) => !foreign.has(ref)));
  const objects = present(place.objects, 'the folder of objects');
  const refs = new Map(atRemote);
  for (const [ref, commit] of await localBases(place, account)) {
    const there = atRemote.get(ref);
    if (there === commit) continue;
    if (there === undefined || (await isAhead(place, commit, there))) refs.set(ref, commit);
  }
  const onlyHere = [...refs.keys()].filter(ref => !atRemote.has(ref));
  return { shared: { refs, objects }, atRemote, onlyHere, inTheWay, areJournalsGone };
}

// Whether an object contains no journals because it is not a commit. An apply begins new journals
// in its place.
async function hasNoJournals(
  place: GitPlace,
  found: RefCommits,
  account: string,
): Promise<boolean> {
  const commit = found.get(journalRef(account));
  if (commit === undefined || isKnownCommit(place, commit)) return false;
  return (await messageOf(place, commit)) === null;
}

/**
 * Whether the base of the clone follows the base of the remote. This is the case if a push failed.
 */
export async function isAhead(place: GitPlace, here: string, there: string): Promise<boolean> {
  const bases = [await storedBase(place, here), await storedBase(place, there)];
  const [own, other] = bases.flatMap(base => (base === null || 'why' in base ? [] : base));
  return (
    own !== undefined &&
    other !== undefined &&
    (await isOrFollows(place, own, digestOfBase(other.text)))
  );
}

/**
 * The refs of an account, both as a run uses them and as they are at the remote. A base whose push
 * failed is only in the clone, or is newer in the clone.
 */
export interface AtRemote {
  readonly shared: SharedRefs;
  readonly atRemote: RefCommits;
  /**
   * Bases that are in the clone but not at the remote, because their push failed or somebody
   * deleted them at the remote.
   */
  readonly onlyHere: readonly string[];
  /** Refs that prevent the last push of any run. */
  readonly inTheWay: readonly RefInTheWay[];
  /** Whether the ref of the journals contains something else. */
  readonly areJournalsGone: boolean;
}

/** A lock that was just taken, perhaps with a journal. */
interface TakenLock {
  readonly remote: Remote;
  readonly lock: HeldRemoteLock;
  readonly seen: SeenBefore | undefined;
  readonly begun: BesideLock | null;
  readonly ended: Ending;
  readonly reached: ReachedServer | undefined;
}

/**
 * Releases a lock under which nothing was sent. If the remote got a journal with the lock, removes
 * that journal.
 */
async function withdraw({ remote, lock, begun, ended }: TakenLock): Promise<void> {
  const name = begun?.first?.name;
  const journals = name !== undefined && (await begun?.underLock(null));
  if (!journals || journals.nameOf(ended.by.id) !== name) return giveBack(lock, ended);
  const made = await begun?.made();
  if (made) {
    const removal = { ref: journals.ref, from: made, to: null };
    ended.ends();
    if ((await withoutFault(lock.release([removal]))).is === 'done') return;
  }
  journals.put(name, null);
  ended.ends();
  const push = pushWithJournals(remote, journals, moves => lock.release(moves));
  if ((await withoutFault(push)).is !== 'done') await giveBack(lock, ended);
}

/**
 * The end of the hint about a symbolic ref. No listing shows a symbolic ref before its target
 * exists, so this run created the target. If the remote has not deleted the target again, the hint
 * names it.
 */
async function leftOf(
  { ref, target }: RefInTheWay,
  { remote, lock, begun }: TakenLock,
  account: string,
): Promise<string> {
  if (target === undefined) return '';
  const isOfLock = ref === lockRef(account) && lock.takenFrom === null;
  const isMade = isOfLock || (ref === journalRef(account) && (await begun?.made()));
  if (!isMade) return '';
  const found = await listedRefs(remote, [ref]);
  if (!isFault(found) && found.length === 0) return '';
  return madeThere(target);
}

/**
 * Releases a lock without other changes, within the time limit for the end of a run. Calls `onLeft`
 * if the remote may still have the lock.
 */
async function giveBack(lock: HeldRemoteLock, { by, ttl, ends, onLeft }: Ending): Promise<void> {
  ends();
  const pushed = await withoutFault(lock.release());
  // If somebody else moved the ref, they have the lock now.
  if (pushed.is === 'done' || pushed.is === 'moved') return;
  onLeft?.({ why: pushed.why, run: by.id, ttl });
}

/**
 * The result of a push. If git cannot write its objects, for example because the disk is full, the
 * push counts as not sent instead of throwing. A run that has written to the account can then still
 * end with its report.
 */
const withoutFault = (push: Promise<Pushed>): Promise<Pushed> =>
  push.catch((error: unknown) => ({ is: 'unknown', ...whyOf(gitFault(error)), isUnsent: true }));

/** What is needed to end a run with a lock. */
interface Ending extends Pick<GitLockSettings, 'ttl' | 'onLeft'> {
  readonly by: LockHolder;
  /** Starts the time limit within which the run has to end. */
  readonly ends: () => void;
}

function heldBy(lock: HeldRemoteLock, opened: Opened): HeldAccountLock {
  const { ttl, by, ends } = opened;
  const third = thirdOf(ttl);
  const inTurn = oneByOne();
  const copied = copiedJournal(opened);
  let isGivenBack = false;
  const renew = (): Promise<Pushed> =>
    inTurn(async () => {
      // A journal that the remote got with the lock stays at the remote until the run ends, even if
      // the run sent nothing.
      const text = (await copied.copy()?.text()) ?? undefined;
      return withoutFault(copied.pushWith(moves => lock.renew(moves, copied.copy()?.plan), text));
    });
  const end: SharedStore['end'] = (base, move, note) =>
    inTurn(async () => {
      const pushed = await endWith(lock, { opened, copied }, { base, move, note });
      isGivenBack = pushed.is === 'done';
      return pushed;
    });
  return {
    run: by.id,
    longestWrite: third,
    mayWrite: lock.mayWrite,
    renewEvery: third,
    renew: async () => {
      const pushed = await renew();
      // If the push with the copy of the journal fails, only the lock is renewed, because the lock
      // matters more than the copy.
      return pushed.is === 'done' || (await withoutFault(lock.renew())).is === 'done';
    },
    release: () =>
      inTurn(async () => {
        if (isGivenBack) return;
        ends();
        const text = await copied.copy()?.text();
        const pushed = await withoutFault(copied.pushWith(moves => lock.release(moves), text));
        if (pushed.is !== 'done') await giveBack(lock, opened);
      }),
    store: storeOf(opened, copied, { renew, end }),
  };
}

/** What the remote has under a lock, and the journal of the run. */
interface UnderLock {
  readonly opened: Opened;
  readonly copied: CopiedJournal;
}

/** A base that the run recorded, the move of its ref, and the note about it. */
interface RecordedBase {
  readonly base: BaseCommit;
  readonly move: RefMove;
  readonly note: SharedNote;
}

// Releases the lock in the push that records the base.
async function endWith(
  lock: HeldRemoteLock,
  { opened: { journals, ends }, copied }: UnderLock,
  { base, move, note }: RecordedBase,
): Promise<Pushed> {
  ends();
  const text = await copied.copy()?.closed(base);
  journals.put(note.name, note.text);
  const pushed = await withoutFault(copied.pushWith(moves => lock.release([move, ...moves]), text));
  // The note must not stay without its base, because every other base would then be refused.
  if (pushed.is !== 'done') journals.takeBack(note.name);
  return pushed;
}

function storeOf(
  opened: Opened,
  copied: CopiedJournal,
  { renew, end }: { readonly renew: () => Promise<Pushed>; readonly end: SharedStore['end'] },
): SharedStore {
  const { shared, atRemote, journals, by, begun, isUnmoved } = opened;
  return {
    shared,
    atRemote,
    journals,
    by,
    isBegun: begun !== undefined,
    isUnmoved,
    keep: copied.keep,
    begin: async () => {
      const pushed = await renew();
      const elsewhere = pushed.is === 'done' ? await wentElsewhere(opened) : null;
      if (elsewhere?.is === 'refused') copied.drop();
      return elsewhere ?? pushed;
    },
    end,
  };
}

/**
 * The result for the first journals of an account if their ref is a symbolic ref. The push only
 * created the target of the symbolic ref, so the journals do not count, and the target is removed
 * again. Null if the journals count.
 */
async function wentElsewhere({ remote, journals, atRemote }: Opened): Promise<Pushed | null> {
  const { ref } = journals;
  if (atRemote.has(ref)) return null;
  const found = await listedRefs(remote, [ref]);
  if (isFault(found)) return { is: 'unknown', ...whyOf(found) };
  const [listed] = found;
  if (listed?.target === undefined) return null;
  const { target, commit } = listed;
  const removed = await withoutFault(pushRefs(remote, [{ ref, from: commit, to: null }]));
  const isGone = removed.is === 'done';
  if (isGone) await journals.follow(null);
  const { why, hint } = sentenceOfRef({ ref, target }, remote.name);
  return { is: 'refused', why, hint: isGone ? hint : `${hint}${madeThere(target)}` };
}

const madeThere = (target: string): string =>
  `; this run created ${nameText(target)}, and the remote may still have it: remove it there too`;

/** The journal of the run. The pushes of its lock copy it to the remote. */
interface CopiedJournal {
  /** Returns the journal; undefined if the run has none. */
  readonly copy: () => JournalCopy | undefined;
  readonly keep: (journal: JournalCopy) => void;
  /** Leaves the journal out of later pushes. */
  readonly drop: () => void;
  /**
   * Pushes with this text of the journal. Null removes the journal; undefined does not change it.
   */
  readonly pushWith: (
    push: (moves: readonly RefMove[]) => Promise<Pushed>,
    text: string | null | undefined,
  ) => Promise<Pushed>;
}

function copiedJournal({ remote, journals, begun }: Opened): CopiedJournal {
  // Until the run supplies its journal, it has sent nothing.
  let copy: JournalCopy | undefined = begun && { ...begun, text: NOTHING, closed: NOTHING };
  return {
    copy: () => copy,
    keep: journal => {
      if (begun && begun.name !== journal.name) journals.put(begun.name, null);
      copy = journal;
    },
    drop: () => {
      if (copy !== undefined && journals.commit === null) journals.put(copy.name, null);
      copy = undefined;
    },
    pushWith: (push, text) => {
      if (copy !== undefined && text !== undefined) journals.put(copy.name, text);
      return pushWithJournals(remote, journals, push);
    },
  };
}

/** A lock that was taken, and the refs of the remote at that time. */
interface Opened extends Ending, Omit<AtRemote, 'onlyHere' | 'inTheWay' | 'areJournalsGone'> {
  readonly remote: Remote;
  readonly journals: SharedJournals;
  /** The journal that the remote got with the lock. */
  readonly begun: FirstJournal | undefined;
  readonly isUnmoved: boolean;
}

/**
 * A third of the time that a lock lasts without a renewal, in milliseconds. The argument is in
 * seconds.
 */
const thirdOf = (ttl: number): number => (ttl * 1000) / 3;

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
