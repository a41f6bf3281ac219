// The loader of desired state is passed to the emulator, which does not know the format.

/** An account that can be called, and whose machines can be made to join. */
export interface StartingAccount {
  readonly url: string;
  readonly token: string;
  /** Enrols a machine with that name, unless it exists. */
  enrol(name: string): void;
}

/** Makes an account what desired state, a YAML text, says. The answer to the request contains the message of an error that it throws. */
export type DesiredStateLoader = (yaml: string, account: StartingAccount) => Promise<void>;
