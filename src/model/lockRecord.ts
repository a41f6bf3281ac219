// The content of the lock of an account: who holds it, since when, what for, and for how long.

/** The content of a lock. */
export interface LockRecord {
  /**
   * `run`: a run holds it, and renews it. `hold`: a person holds it on purpose. `free`: nobody holds it, on remotes that
   * cannot delete refs.
   */
  readonly is: 'run' | 'hold' | 'free';
  /** The run, or the hold. */
  readonly id: string;
  readonly machine: string;
  /** The name that git knows; absent if git has none. */
  readonly person?: string | undefined;
  /** The page of the pipeline. */
  readonly link?: string | undefined;
  /** In RFC 3339, by the clock of the holder. */
  readonly since: string;
  /** The digest of the plan, once there is one. */
  readonly plan?: string | undefined;
  /** Why a person holds it. */
  readonly reason?: string | undefined;
  /** When a hold ends, in RFC 3339. */
  readonly until?: string | undefined;
  /** Seconds without a renewal after which the lock of a run may be taken over. */
  readonly ttl: number;
  /** How often it was renewed. */
  readonly counter: number;
}
