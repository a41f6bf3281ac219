// Checks the other remotes of the clone for a run that writes: before the run has its lock, while
// it waits, and once it has the lock. Two runs that use different remotes then notice each other,
// whichever began first.
import type { AccountLock } from '../../apply/lock/accountLock.ts';
import type { SeenLock } from '../../apply/lock/remoteLock.ts';
import { patienceWith } from '../../apply/lockRecord.ts';
import { quoted } from '../../model/text/visible.ts';
import { holderText } from '../../report/lockText.ts';
import { type Io, say } from '../io.ts';
import { foundElsewhere, tellSilent } from '../otherRemotes.ts';
import type { OwnRemote } from '../remoteOfClone.ts';
import type { AccountUse, OverlookedState } from '../writersElsewhere.ts';

/** How often a waiting run checks the other remotes, in milliseconds. */
const LOOKS_EVERY = 5000;

/** The other remotes of a run. */
export class OtherRemotesOfRun {
  readonly #remote: OwnRemote;
  readonly #use: AccountUse;
  readonly #io: Io;
  /** For each lock, the time since which its state has not changed. */
  readonly #seen = new Map<string, number>();

  constructor(remote: OwnRemote, use: Omit<AccountUse, 'isGone'>, io: Io) {
    this.#remote = remote;
    this.#use = { ...use, isGone: lock => this.#isGone(lock) };
    this.#io = io;
  }

  /**
   * Waits at most this number of milliseconds for runs that hold the lock of the account at another
   * remote. Resolves to the remaining time; throws a `Stop` for anything else that stops the run.
   */
  async settle(wait: number): Promise<number> {
    const { monotonic, sleep } = this.#io;
    const began = monotonic();
    const left = () => Math.max(0, wait - (monotonic() - began));
    for (let isFirst = true; ; isFirst = false) {
      const found = await foundElsewhere(this.#remote, this.#use, this.#io);
      if (isFirst) tellSilent(found, this.#io);
      const { overlooked } = found;
      const [first] = overlooked;
      if (first === undefined) return left();
      const lasting = overlooked.find(({ held }) => held?.record?.is !== 'run');
      if (lasting !== undefined || left() === 0) throw (lasting ?? first).stop;
      for (const one of overlooked) this.#watch(one);
      await sleep(LOOKS_EVERY);
    }
  }

  /**
   * Returns the same lock with an additional check after the lock is taken. If another remote has a
   * lock or a base that the run must respect, the lock is released again.
   */
  checkedBy(lock: AccountLock): AccountLock {
    return {
      take: async (begins, reached) => {
        const held = await lock.take(begins, reached);
        if ('refused' in held || this.#remote.others.length === 0) return held;
        try {
          const [first] = (await foundElsewhere(this.#remote, this.#use, this.#io)).overlooked;
          if (first !== undefined) throw first.stop;
          return held;
        } catch (error) {
          await held.release();
          throw error;
        }
      },
    };
  }

  // Whether a lock is abandoned. If nobody renews a lock for its whole duration, it belongs to a
  // dead run, or is a copy of the lock of an ended run.
  #isGone({ commit, record }: SeenLock): boolean {
    const since = this.#seen.get(commit);
    if (since === undefined || record?.is !== 'run') return false;
    return this.#io.monotonic() - since >= patienceWith(record);
  }

  #watch({ remote, held }: OverlookedState): void {
    if (held === undefined || this.#seen.has(held.commit)) return;
    const { stderr, monotonic } = this.#io;
    if (this.#seen.size === 0) {
      const where = `Another apply holds the lock of the account at the remote ${quoted(remote)}`;
      say(stderr, `${where}. This run waits as long as somebody renews that lock:`);
      stderr.write(holderText(held.record));
    }
    this.#seen.set(held.commit, monotonic());
  }
}
