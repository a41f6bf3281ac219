// Entries of the account's audit log, with everything that servers write as a number or a text made text.

/** Who did something: a user, or another id that the log gives. */
export interface Initiator {
  readonly id: string;
  /** Empty where the log does not say. */
  readonly name: string;
  readonly email: string;
}

/** One entry. */
export interface AuditEntry {
  readonly id: string;
  /** Nanoseconds since 1970; 0 where the entry does not say. */
  readonly moment: bigint;
  /** The time as the server wrote it. */
  readonly time: string;
  readonly code: string;
  readonly by: Initiator;
  readonly target: string;
  readonly meta: Readonly<Record<string, string>>;
}
