// Writes the ledger of a rollout. It sends one push at a time, with all changes that arrived in the
// meantime.

import { mergedLedger } from '../../fleet/rollout/mergedLedger.ts';
import { type Cannot, isCannot, type Transition } from '../../fleet/rollout/transitions.ts';
import type { Ledger } from '../../model/rollout.ts';
import type { Pushed, RefMove } from '../../read/remote/remoteRefs.ts';
import { oneByOne } from '../lock/oneByOne.ts';
import type { HeldRemoteLock } from '../lock/remoteLock.ts';
import { readOpenRef, type SeenRollout } from './readRollout.ts';
import type { RolloutRefusal } from './rolloutRefusal.ts';
import { type RolloutStore, signedLedger } from './signedLedger.ts';

/** The result of a change. */
export type WriteResult =
  | {
      readonly is: 'done';
      readonly ledger: Ledger;
      /** Whether the change has closed the rollout; false if another shard had closed it before. */
      readonly hasClosed?: boolean;
    }
  /** The rules of a rollout refuse the change. Nothing was written. */
  | ({ readonly is: 'cannot' } & Cannot)
  /** Somebody else moved the other refs. Nothing was written. */
  | { readonly is: 'moved' }
  /** The remote refuses the refs, or has a ledger that is refused. Nothing was written. */
  | { readonly is: 'refused'; readonly why: string; readonly hint?: string }
  /**
   * The lease is lost, or the remote did not answer before the lease expired. In both cases, this
   * run may begin nothing more.
   */
  | { readonly is: 'lost'; readonly why: string };

/** The place at which a ledger is written. */
export interface WriterPlace {
  readonly store: RolloutStore;
  readonly lease: HeldRemoteLock;
  /** The ref that this run writes. */
  readonly ref: string;
  /** Whether no other run writes ledgers of the rollout. */
  readonly isAlone: boolean;
  readonly read: () => Promise<SeenRollout | RolloutRefusal>;
}

interface Change {
  readonly transition: Transition;
  readonly others: readonly RefMove[];
  readonly settle: (written: WriteResult) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * How many times a push is repeated if somebody has moved the ref of the ledger although this run
 * holds the lease.
 */
const TRIES = 3;

/** The ledger that one run writes. */
export class LedgerWriter {
  readonly #place: WriterPlace;
  #seen: SeenRollout;
  #waiting: Change[] = [];
  readonly #inTurn = oneByOne();
  #lost: string | null = null;

  constructor(place: WriterPlace, seen: SeenRollout) {
    this.#place = place;
    this.#seen = seen;
  }

  get ledger(): Ledger {
    return this.#seen.ledger;
  }

  /** Changes the ledger, with the next push. */
  change(transition: Transition, others: readonly RefMove[]): Promise<WriteResult> {
    const { promise, resolve, reject } = Promise.withResolvers<WriteResult>();
    this.#waiting.push({ transition, others, settle: resolve, fail: reject });
    void this.#inTurn(() => this.#writeWaiting());
    return promise;
  }

  /** Reads the current state of the rollout at the remote. */
  look(): Promise<SeenRollout | RolloutRefusal> {
    return this.#inTurn(() => this.#read());
  }

  /** Releases the lease, once all changes are written. */
  async release(): Promise<void> {
    await this.#inTurn(async () => {
      if (this.#lost === null) await this.#place.lease.release();
      this.#lost ??= 'the lease was released';
    });
  }

  /** Finishes the rollout, and releases the lease. */
  finish(transition: Transition): Promise<WriteResult> {
    return this.#inTurn(async () => {
      const now = await this.#read();
      if ('refused' in now) return refusedBy(now);
      const written = await this.#finished(transition);
      if (written.is === 'done') this.#lost = 'the rollout is finished';
      return written;
    });
  }

  async #read(): Promise<SeenRollout | RolloutRefusal> {
    const now = await this.#place.read();
    if ('refused' in now) return now;
    // Merging keeps the changes of this run, even if somebody has restored an older ref.
    const ledger = mergedLedger(this.#seen.ledger, now.ledger);
    if (ledger === null)
      return { refused: 'ledger-unverified', ref: this.#place.ref, because: 'elsewhere' };
    this.#seen = { ...now, ledger };
    return this.#seen;
  }

  async #writeWaiting(): Promise<void> {
    const changes = this.#waiting;
    this.#waiting = [];
    try {
      const written = changes.length === 0 ? 'settled' : await this.#write(changes);
      if (written === 'moved') await this.#writeEach(changes);
    } catch (error) {
      for (const { fail } of changes) fail(error);
    }
  }

  // Writes each change in a separate push. A joint push is all or nothing, so a single change with
  // moved refs would make all changes fail.
  async #writeEach(changes: readonly Change[]): Promise<void> {
    for (const change of changes) {
      const alone = changes.length === 1 ? 'moved' : await this.#write([change]);
      if (alone === 'moved') change.settle({ is: 'moved' });
    }
  }

  /**
   * Writes these changes in one push and settles them. Resolves to `moved` if other refs have
   * moved; in that case, it settles no change that could still be written.
   */
  async #write(changes: readonly Change[]): Promise<'settled' | 'moved'> {
    const refusal = this.#place.isAlone || this.#lost !== null ? null : await this.#look();
    for (let tries = 0; ; tries++) {
      const failed = this.#lost === null ? refusal : lost(this.#lost);
      if (failed) return settleAll(changes, failed);
      const { ledger, possible, cannot } = appliedTo(this.#seen.ledger, changes);
      if (possible.length === 0) return settleCannot(cannot);
      const pushed = await this.#push(
        ledger,
        possible.flatMap(({ others }) => others),
      );
      if (pushed.is === 'done') {
        settleCannot(cannot);
        return settleAll(possible, { is: 'done', ledger });
      }
      const outcome = await this.#afterFailure(pushed, tries);
      if (outcome === 'moved' && possible.some(({ others }) => others.length > 0)) return 'moved';
      if (outcome !== 'again' && outcome !== 'moved') return settleAll(changes, outcome);
    }
  }

  async #look(): Promise<WriteResult | null> {
    const now = await this.#read();
    return 'refused' in now ? refusedBy(now) : null;
  }

  async #push(ledger: Ledger, others: readonly RefMove[]): Promise<Pushed> {
    const { lease } = this.#place;
    const move = await this.#moveTo(ledger);
    const pushed = await lease.renew([move, ...others]);
    if (pushed.is === 'done') this.#wrote(ledger, move);
    return pushed;
  }

  async #moveTo(ledger: Ledger): Promise<RefMove & { readonly to: string }> {
    const { store, ref } = this.#place;
    const from = this.#seen.commits.get(ref) ?? null;
    const { commit: to, objects } = await store.remote.make(
      signedLedger(store.signer, ledger),
      from,
    );
    return { ref, from, to, objects };
  }

  #wrote(ledger: Ledger, { ref, to }: RefMove & { readonly to: string }): void {
    const commits = new Map(this.#seen.commits).set(ref, to);
    this.#seen = { ...this.#seen, ledger, commits };
  }

  // Determines why a push failed, by asking whether the lease is lost. If it is not lost, somebody
  // has moved one of the other refs or the ref of the ledger.
  async #afterFailure(
    pushed: Exclude<Pushed, { is: 'done' }>,
    tries: number,
  ): Promise<WriteResult | 'again' | 'moved'> {
    if (pushed.is === 'refused') return pushed;
    if (pushed.is === 'unknown' || !(await this.#place.lease.mayWrite(0))) {
      this.#lost = pushed.is === 'unknown' ? pushed.why : 'another run has taken the lease over';
      return lost(this.#lost);
    }
    if (tries >= TRIES)
      return { is: 'refused', why: 'somebody else moves the refs of the rollout' };
    const { ref } = this.#place;
    const isOwnMoved = (pushed.refs.get(ref) ?? null) !== (this.#seen.commits.get(ref) ?? null);
    if (!isOwnMoved) return 'moved';
    return (await this.#look()) ?? 'again';
  }

  async #finished(transition: Transition): Promise<WriteResult> {
    const { store, lease } = this.#place;
    if (this.#lost !== null) return lost(this.#lost);
    const ledger = transition(this.#seen.ledger);
    if (isCannot(ledger)) return { is: 'cannot', ...ledger };
    for (let tries = 0; ; tries++) {
      const open = await readOpenRef(store, ledger.fleet);
      if ('refused' in open) return refusedBy(open);
      const move = await this.#moveTo(ledger);
      const isNamed = open.rollout?.ledger.rollout === ledger.rollout;
      const closing = (to: string | null): RefMove[] =>
        isNamed ? [{ ref: open.ref, from: open.commit, to }] : [];
      let pushed = await lease.release([move, ...closing(null)]);
      // If the remote refuses to delete refs, the ref still names this finished rollout.
      if (pushed.is === 'refused') pushed = await lease.release([move, ...closing(move.to)]);
      if (pushed.is === 'done') {
        this.#wrote(ledger, move);
        return { is: 'done', ledger, hasClosed: isNamed };
      }
      const outcome = await this.#afterFailure(pushed, tries);
      if (outcome !== 'again' && outcome !== 'moved') return outcome;
    }
  }
}

/** The ledger after these changes, applied one after the other. Impossible changes are left out. */
function appliedTo(before: Ledger, changes: readonly Change[]) {
  let ledger = before;
  const possible: Change[] = [];
  const cannot: [Change, Cannot][] = [];
  for (const change of changes) {
    const next = change.transition(ledger);
    if (isCannot(next)) cannot.push([change, next]);
    else {
      ledger = next;
      possible.push(change);
    }
  }
  return { ledger, possible, cannot };
}

function settleAll(changes: readonly Change[], written: WriteResult): 'settled' {
  for (const { settle } of changes) settle(written);
  return 'settled';
}

function settleCannot(refused: readonly (readonly [Change, Cannot])[]): 'settled' {
  for (const [{ settle }, { cannot }] of refused) settle({ is: 'cannot', cannot });
  return 'settled';
}

const lost = (why: string): WriteResult => ({ is: 'lost', why });

function refusedBy(refusal: RolloutRefusal): WriteResult {
  if (refusal.refused === 'remote-refuses' || refusal.refused === 'remote-unreachable') {
    const { why, hint } = refusal;
    return { is: 'refused', why, ...(hint !== undefined && { hint }) };
  }
  const why = 'why' in refusal ? refusal.why : 'no key of this run has signed it';
  return { is: 'refused', why: `the ledger cannot be used: ${why}` };
}
