// The content of the lock of an account: who holds it, since when, for what purpose, and for how long.

/** The content of a lock. */
export interface LockRecord {
  /**
   * `run`: a run holds the lock and renews it. `hold`: a person holds it on purpose. `free`: nobody holds it, on remotes that
   * cannot delete refs.
   */
  readonly is: 'run' | 'hold' | 'free';
  /** The run, or the hold. */
  readonly id: string;
  readonly machine: string;
  /** The name of the holder in git; absent if git has none. */
  readonly person?: string | undefined;
  /** The page of the pipeline. */
  readonly link?: string | undefined;
  /** The time in RFC 3339, by the clock of the holder. */
  readonly since: string;
  /** The digest of the plan; absent before there is a plan. */
  readonly plan?: string | undefined;
  /** The reason why a person holds the lock. */
  readonly reason?: string | undefined;
  /** The time at which a hold expires, in RFC 3339. */
  readonly until?: string | undefined;
  /** Seconds without a renewal after which the lock of a run may be taken over. */
  readonly ttl: number;
  /** The number of renewals of the lock. */
  readonly counter: number;
}

/** The longest time in seconds that another run waits, whatever duration a lock gives. */
export const LONGEST_TTL = 3600;

/**
 * Seconds without a renewal after which others may take over a lock: the duration in the lock, but at most an hour, because
 * others may have written the lock.
 */
export const takenOverAfter = ({ ttl }: Pick<LockRecord, 'ttl'>): number =>
  Math.min(ttl > 0 ? ttl : LONGEST_TTL, LONGEST_TTL);
