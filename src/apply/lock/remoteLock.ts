// The lock of an account in the Git remote: a ref that all machines share. The machine that creates
// the ref holds the lock and renews it by moving the ref. If a machine sees no move of the ref for
// the duration of the lock, it may take the lock over.

import type { LockRecord } from '../../model/lockRecord.ts';
import type { MadeCommit } from '../../read/git/writeObjects.ts';
import type { Pushed, RefCommits, RefMove } from '../../read/remote/remoteRefs.ts';
import { patienceWith } from '../lockRecord.ts';
import { elapsedSince, type LeaseClocks, type Moment, momentNow } from './lease.ts';
import { oneByOne } from './oneByOne.ts';

/** The lock at the remote as this machine last saw it. */
export interface SeenLock {
  readonly commit: string;
  /** The content of the lock; null if meshform did not write it. */
  readonly record: LockRecord | null;
  /**
   * Present if the lock is a symbolic ref. Nobody may move such a ref. Contains the reason and what
   * to do.
   */
  readonly untouchable?: RemoteTrouble;
}

/** Why the remote does not answer or does not move refs. */
export interface RemoteTrouble {
  readonly why: string;
  readonly hint?: string | undefined;
}

/** The ref of the lock at the remote. */
export interface LockRef {
  readonly ref: string;
  /** The current lock; null if there is none. */
  readonly read: () => Promise<SeenLock | RemoteTrouble | null>;
  /** Makes a commit with the next state of the lock. The commit is written by the push. */
  readonly make: (record: LockRecord, before: string | null) => Promise<MadeCommit>;
  /** Writes the new commits, and moves all of these refs together, or none of them. */
  readonly push: (moves: readonly RefMove[]) => Promise<Pushed>;
}

/** The settings with which a lock is taken and held. */
export interface LockSettings {
  /** The holder that takes the lock. The lock adds the counter and the duration. */
  readonly holder: Omit<LockRecord, 'is' | 'counter' | 'ttl'>;
  /** The duration of the lock, in seconds. */
  readonly ttl: number;
  /**
   * How long to keep asking for a lock that somebody renews, in milliseconds; 0 to give up at once.
   */
  readonly wait: number;
  readonly clocks: LeaseClocks;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /**
   * Called once for each holder that the run waits for. `milliseconds` is how long the run waits before it may take the lock
   * over.
   */
  readonly onWaiting?: (lock: SeenLock, milliseconds: number) => void;
  /**
   * Whether a holder will certainly write nothing more. If so, nobody has to wait for it. By
   * default, this is unknown.
   */
  readonly isEnded?: ((record: LockRecord) => boolean) | undefined;
  /** Another ref to move together with the lock. */
  readonly joinedMove?: JoinedRefMove | undefined;
  /** If aborted, the run stops waiting for the lock. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Another ref that the push of the lock also moves, if possible. If it is not possible, the push
 * moves only the lock.
 */
export interface JoinedRefMove {
  /**
   * The move of this ref in the next push; null if the push is to move only the lock. Rejects if
   * git fails.
   */
  readonly move: () => Promise<RefMove | null>;
  /** Called if a push with the move had no effect. */
  readonly failed: (pushed: Pushed) => void;
  /** Called if somebody else had the lock in the meantime and may have moved the ref. */
  readonly giveUp: () => void;
}

/** Why a lock was not taken. */
export type NotTaken = WhyNotTaken & {
  /**
   * Why the remote may have given this run the lock nevertheless. Absent if the run certainly does
   * not have it.
   */
  readonly mayBeOurs?: string;
};

type WhyNotTaken =
  | { readonly is: 'taken'; readonly by: SeenLock }
  /** A person holds the lock on purpose. */
  | { readonly is: 'on-hold'; readonly by: SeenLock & { readonly record: LockRecord } }
  | ({ readonly is: 'refused' } & RemoteTrouble)
  | ({ readonly is: 'unreachable' } & RemoteTrouble)
  | { readonly is: 'interrupted' };

/** The lock while it is held. */
export interface HeldRemoteLock {
  readonly is: 'held';
  /** The previous holder, if it did not release the lock. */
  readonly takenFrom: SeenLock | null;
  /**
   * Whether a write that may take this number of milliseconds may begin now. It may if it ends
   * before others can take the lock over. While a renewal is late, the result comes only after the
   * renewal has succeeded or failed.
   */
  readonly mayWrite: (milliseconds: number) => Promise<boolean>;
  /** Renews the lock and moves other refs in the same push. */
  readonly renew: (others?: readonly RefMove[], plan?: string) => Promise<Pushed>;
  /** Releases the lock and moves other refs in the same push. */
  readonly release: (others?: readonly RefMove[]) => Promise<Pushed>;
}

/** How often a waiting run reads the lock, in milliseconds. */
const LOOKS_EVERY = 5000;

/** How long to wait after a failed attempt, in milliseconds. */
const AGAIN_AFTER = 1000;

/** How many times a push with an unknown outcome is repeated before the lock is held. */
const TRIES = 3;

/** Takes the lock. */
export async function takeRemoteLock(
  lock: LockRef,
  settings: LockSettings,
): Promise<HeldRemoteLock | NotTaken> {
  // The reason of the last push whose outcome is unknown because the remote did not answer.
  let unasked: string | undefined;
  const push: LockRef['push'] = async moves => {
    const pushed = await lock.push(moves);
    // A push that was not sent says nothing about the previous push.
    if (pushed.is === 'unknown' && pushed.isUnsent) return pushed;
    unasked = pushed.is === 'unknown' && pushed.isUnasked ? pushed.why : undefined;
    return pushed;
  };
  const read: LockRef['read'] = async () => {
    const now = await lock.read();
    if (now === null || !('why' in now)) unasked = undefined;
    return now;
  };
  const taken = await new LockAttempt({ ...lock, push, read }, settings).take();
  return taken.is === 'held' || unasked === undefined ? taken : { ...taken, mayBeOurs: unasked };
}

/** An attempt to take a lock. It ends when the lock is held or given up. */
class LockAttempt {
  readonly #lock: LockRef;
  readonly #settings: LockSettings;
  readonly #begun: Moment;
  /** The earlier pushes that may have succeeded although their outcome is unknown. */
  readonly #own: Lease[] = [];
  #seen: Watched | null = null;
  /** How many pushes failed although nobody had the lock. */
  #failures = 0;
  /** How many consecutive reads failed. */
  #troubles = 0;

  constructor(lock: LockRef, settings: LockSettings) {
    this.#lock = lock;
    this.#settings = settings;
    this.#begun = momentNow(settings.clocks);
  }

  async take(): Promise<HeldRemoteLock | WhyNotTaken> {
    for (;;) {
      const result = await this.#round();
      if (result !== undefined) return result;
    }
  }

  /** Pushes the lock if it can be taken, and then reads the remote; undefined if the result is not decided yet. */
  async #round(): Promise<HeldRemoteLock | WhyNotTaken | undefined> {
    let failed: RemoteTrouble | undefined;
    if (this.#seen === null || isTakeable(this.#seen, this.#settings)) {
      const { joinedMove } = this.#settings;
      const { lease, pushed, isAlone } = await take(this.#lock, this.#settings, this.#seen);
      if (pushed.is === 'done') return this.#held(lease);
      if (!isAlone) joinedMove?.failed(pushed);
      if (pushed.is === 'refused') return isAlone ? pushed : undefined;
      if (pushed.is === 'unknown') failed = pushed;
      this.#own.push(lease);
    }
    const now = await this.#lock.read();
    if (now !== null && 'why' in now) return this.#afterTrouble(now);
    this.#troubles = 0;
    // An earlier push with an unknown outcome may have taken the lock.
    const taken = this.#own.find(({ commit }) => commit === now?.commit);
    if (taken) return this.#held(taken);
    if (failed !== undefined && isSame(now, this.#seen)) return this.#afterFailure(failed);
    if (now !== null) return this.#watch(now);
    this.#seen = null;
    return undefined;
  }

  #held(lease: Lease): HeldRemoteLock {
    return held(this.#lock, this.#settings, lease, holderOf(this.#seen));
  }

  /** Handles a read that failed. */
  async #afterTrouble(trouble: RemoteTrouble): Promise<WhyNotTaken | undefined> {
    const { clocks, wait } = this.#settings;
    this.#troubles += 1;
    // A run that waits for a holder also waits for a remote that answered before but does not
    // answer now.
    const isPatient = this.#seen !== null && elapsedSince(this.#begun, clocks) < wait;
    if (this.#troubles >= TRIES && !isPatient) return { ...trouble, is: 'unreachable' };
    return this.#pause(this.#troubles < TRIES ? AGAIN_AFTER : LOOKS_EVERY);
  }

  /**
   * Handles a push that changed nothing. A forge that denies all pushes refuses the whole push and
   * names no ref.
   */
  async #afterFailure({ why, hint }: RemoteTrouble): Promise<WhyNotTaken | undefined> {
    this.#failures += 1;
    if (this.#failures >= TRIES) return { is: 'refused', why, ...(hint !== undefined && { hint }) };
    return this.#pause(AGAIN_AFTER);
  }

  async #pause(milliseconds: number): Promise<WhyNotTaken | undefined> {
    const { sleep, signal } = this.#settings;
    await sleep(milliseconds, signal);
    return signal?.aborted ? { is: 'interrupted' } : undefined;
  }

  /** Waits until the lock can be taken or should be read again. */
  async #watch(now: SeenLock): Promise<WhyNotTaken | undefined> {
    const { clocks, joinedMove, signal, sleep } = this.#settings;
    if (now.untouchable) return { is: 'refused', ...now.untouchable };
    if (isOnHold(now, clocks)) return { is: 'on-hold', by: now };
    if (!isOpen(now, this.#settings)) joinedMove?.giveUp();
    const watched = this.#seen?.commit === now.commit ? this.#seen : this.#noticed(now);
    if (watched === null) return { is: 'taken', by: now };
    if (signal?.aborted) return { is: 'interrupted' };
    const left = patienceWith(watched.record) - elapsedSince(watched.since, clocks);
    if (left > 0 && !isOpen(watched, this.#settings))
      await sleep(Math.min(LOOKS_EVERY, left), signal);
    return undefined;
  }

  /** Begins to watch another state of the lock; null if its holder renews it and the run has waited long enough. */
  #noticed(now: SeenLock): Watched | null {
    const { clocks, wait, onWaiting } = this.#settings;
    const isRenewed = this.#seen !== null && !isOpen(now, this.#settings);
    if (isRenewed && elapsedSince(this.#begun, clocks) >= wait) return null;
    const watched = { ...now, since: momentNow(clocks) };
    this.#seen = watched;
    if (!isOpen(now, this.#settings)) onWaiting?.(now, patienceWith(now.record));
    return watched;
  }
}

/** A lock, and the time at which it was first seen in this state. */
interface Watched extends SeenLock {
  readonly since: Moment;
}

type Taking = Pick<LockSettings, 'clocks' | 'isEnded'>;

const isTakeable = (seen: Watched, taking: Taking): boolean =>
  isOpen(seen, taking) || elapsedSince(seen.since, taking.clocks) >= patienceWith(seen.record);

const isOpen = (lock: SeenLock, { clocks, isEnded }: Taking): boolean =>
  isFree(lock, clocks) || (lock.record?.is === 'run' && isEnded?.(lock.record) === true);

const isSame = (one: SeenLock | null, other: SeenLock | null): boolean =>
  one?.commit === other?.commit;

/** Whether anybody may take the lock at once. */
export const isFree = ({ record }: SeenLock, clocks: LeaseClocks): boolean =>
  record?.is === 'free' || (record?.is === 'hold' && isOver(record, clocks));

/** Whether a person holds the lock, and the time of the hold has not expired. */
export function isOnHold(
  lock: SeenLock,
  clocks: LeaseClocks,
): lock is SeenLock & { readonly record: LockRecord } {
  return lock.record?.is === 'hold' && !isOver(lock.record, clocks);
}

// Whether a hold has expired. It expires at the time in the lock, by the wall clock. Without a
// time, or with an unreadable time, it never expires.
function isOver({ until = '' }: LockRecord, { wall }: LeaseClocks): boolean {
  const end = Date.parse(until);
  return !Number.isNaN(end) && wall() >= end;
}

// The holder, if it was interrupted. Only a run can be interrupted.
const holderOf = (seen: SeenLock | null): SeenLock | null =>
  seen === null || seen.record?.is === 'free' || seen.record?.is === 'hold' ? null : seen;

async function take(
  lock: LockRef,
  { holder, ttl, clocks, joinedMove }: LockSettings,
  expected: SeenLock | null,
): Promise<{ readonly lease: Lease; readonly pushed: Pushed; readonly isAlone: boolean }> {
  const other = (await joinedMove?.move()) ?? null;
  const before = expected?.commit ?? null;
  const { commit, objects } = await lock.make({ ...holder, is: 'run', ttl, counter: 1 }, before);
  const lease = { commit, from: momentNow(clocks), counter: 1 };
  const own = { ref: lock.ref, from: before, to: commit, objects };
  const pushed = await lock.push(other === null ? [own] : [own, other]);
  return { lease, pushed, isAlone: other === null };
}

/** The state of a held lock, as this machine last wrote it. */
interface Lease {
  readonly commit: string;
  /** The moment just before the push of `commit` was sent. */
  readonly from: Moment;
  readonly counter: number;
}

function held(
  lock: LockRef,
  settings: LockSettings,
  first: Lease,
  takenFrom: SeenLock | null,
): HeldRemoteLock {
  const { holder, ttl } = settings;
  let { plan } = holder;
  const kept = new KeptLease(lock, { ...settings, holderNow: () => ({ ...holder, plan }) }, first);
  const inTurn = oneByOne();
  return {
    is: 'held',
    takenFrom,
    renew: (others = [], digest) => {
      plan = digest ?? plan;
      return inTurn(() => kept.renew(others));
    },
    mayWrite: async milliseconds => {
      const isSafe = () => !kept.isLost && kept.left() >= milliseconds;
      const isRenewed = async () => (await kept.renew([])).is === 'done' && isSafe();
      return isSafe() || inTurn(async () => isSafe() || isRenewed());
    },
    release: (others = []) =>
      inTurn(async () =>
        kept.isLost
          ? { is: 'moved', refs: new Map() }
          : released(lock, kept.leases, others, { holder, ttl }),
      ),
  };
}

interface Leases {
  readonly lease: Lease;
  /** Renewals with an unknown outcome. The ref may be at any of them. */
  readonly sent: readonly Lease[];
}

interface LeaseSettings extends Pick<LockSettings, 'ttl' | 'clocks' | 'sleep'> {
  /** Returns the holder, with the plan that it currently carries out. */
  readonly holderNow: () => LockSettings['holder'];
}

/** The lease of a held lock. It is renewed until the lock is lost. */
class KeptLease {
  readonly #lock: LockRef;
  readonly #settings: LeaseSettings;
  #lease: Lease;
  #sent: readonly Lease[] = [];
  #isLost = false;

  constructor(lock: LockRef, settings: LeaseSettings, first: Lease) {
    this.#lock = lock;
    this.#settings = settings;
    this.#lease = first;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  get leases(): Leases {
    return { lease: this.#lease, sent: this.#sent };
  }

  /** How long this run still holds the lock without a renewal, in milliseconds. */
  left(): number {
    const { ttl, clocks } = this.#settings;
    return ttl * 1000 - elapsedSince(this.#lease.from, clocks);
  }

  /**
   * Renews the lock and moves other refs in the same push. Repeats the push while its outcome is unknown and the lock has not
   * expired.
   */
  async renew(others: readonly RefMove[]): Promise<Pushed> {
    let pushed: Pushed = this.#isLost
      ? { is: 'moved', refs: new Map() }
      : { is: 'unknown', why: 'the lock expired before it was renewed' };
    while (!this.#isLost && this.left() > 0) {
      const { commit } = this.#lease;
      pushed = await this.#renewOnce(others);
      if (pushed.is === 'done' || pushed.is === 'refused') return pushed;
      if (pushed.is === 'moved') {
        const { refs } = pushed;
        // If the ref is at an earlier push of this run whose response was lost, that push may have
        // moved the other refs too.
        if (this.#lease.commit === commit) return pushed;
        if (others.every(({ ref, to }) => (refs.get(ref) ?? null) === to)) return { is: 'done' };
      } else await this.#settings.sleep(Math.min(AGAIN_AFTER, Math.max(this.left(), 0)));
    }
    return pushed;
  }

  async #renewOnce(others: readonly RefMove[]): Promise<Pushed> {
    const { ttl, clocks, holderNow } = this.#settings;
    const { commit: before, counter: last } = this.#lease;
    const counter = last + 1;
    const record = { ...holderNow(), is: 'run', ttl, counter } as const;
    const { commit, objects } = await this.#lock.make(record, before);
    const next = { commit, from: momentNow(clocks), counter };
    const own = { ref: this.#lock.ref, from: before, to: commit, objects };
    const pushed = await this.#lock.push([own, ...others]);
    if (pushed.is === 'done') {
      this.#lease = next;
      this.#sent = [];
    } else if (pushed.is === 'unknown') this.#sent = [...this.#sent, next];
    else if (pushed.is === 'moved') this.#lookAt(pushed.refs);
    return pushed;
  }

  // Only the ref of the lock shows whether the lock is lost, because other runs may also move the
  // other refs.
  #lookAt(refs: RefCommits): void {
    const there = refs.get(this.#lock.ref);
    if (there === this.#lease.commit) return;
    const own = this.#sent.find(({ commit }) => commit === there);
    if (own === undefined) this.#isLost = true;
    else this.#lease = own;
  }
}

async function released(
  lock: LockRef,
  { lease, sent }: Leases,
  others: readonly RefMove[],
  { holder, ttl }: Pick<LockSettings, 'holder' | 'ttl'>,
): Promise<Pushed> {
  const { ref } = lock;
  const attempt = (from: string, to: Pick<RefMove, 'to' | 'objects'>) =>
    lock.push([{ ref, from, ...to }, ...others]);
  let from = lease;
  let before: Pushed | undefined;
  for (let tries = 0; ; tries++) {
    const pushed = await attempt(from.commit, { to: null });
    // The previous push already contains the reason.
    if (before && pushed.is === 'unknown' && pushed.isUnsent) return before;
    before = pushed;
    if (pushed.is === 'refused') {
      // If the remote does not delete refs, the lock is marked as free instead.
      const record = { ...holder, is: 'free', ttl, counter: from.counter + 1 } as const;
      const { commit: to, objects } = await lock.make(record, from.commit);
      return attempt(from.commit, { to, objects });
    }
    const own = pushed.is === 'moved' && sent.find(({ commit }) => commit === pushed.refs.get(ref));
    if (own) from = own;
    else if (pushed.is !== 'unknown' || tries >= TRIES) return pushed;
  }
}
