// Entries of the account's audit log. Values that servers write either as a number or as a text are texts here.

/** The user who caused an event, or another id that the log contains. */
export interface Initiator {
  readonly id: string;
  /** Empty where the log does not say. */
  readonly name: string;
  readonly email: string;
}

/** One entry. */
export interface AuditEntry {
  readonly id: string;
  /** Nanoseconds since 1970; 0 if the entry contains no time. */
  readonly moment: bigint;
  /** The time as the server wrote it. */
  readonly time: string;
  readonly code: string;
  readonly by: Initiator;
  readonly target: string;
  readonly meta: Readonly<Record<string, string>>;
}
