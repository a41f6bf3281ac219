// The type of the loader of desired state, which is passed to the emulator because the emulator does not know the format.

/** An account that accepts API calls, and in which machines can enrol. */
export interface StartingAccount {
  readonly url: string;
  readonly token: string;
  /** Enrols a machine with that name, unless it exists. */
  enrol(name: string): void;
}

/** Applies desired state, a YAML text, to an account. If it throws, the response contains the message of the error. */
export type DesiredStateLoader = (yaml: string, account: StartingAccount) => Promise<void>;
