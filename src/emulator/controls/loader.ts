// Who understands desired state is handed to the emulator: it does not itself.

/** An account that can be called, and whose machines can be made to join. */
export interface StartingAccount {
  readonly url: string;
  readonly token: string;
  /** Has a machine of that name enrol, unless one has. */
  enrol(name: string): void;
}

/** Makes an account what desired state, a YAML text, says. The answer to the request contains the message of an error that it throws. */
export type DesiredStateLoader = (yaml: string, account: StartingAccount) => Promise<void>;
