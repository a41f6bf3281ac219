// A program to start, and what is known once it has ended.

/** A program with everything that it gets. */
export interface Program {
  /** Looked up on the PATH of `env`. */
  readonly file: string;
  readonly args: readonly string[];
  /** All variables of the program: it inherits none. */
  readonly env: Readonly<Record<string, string>>;
  /** The standard input. */
  readonly input: string | Uint8Array;
  /** Whether the program leads a process group, which ends as a whole. */
  readonly leadsGroup: boolean;
  /** How many bytes each of the two outputs may have. A program with more output is ended. */
  readonly largestOutput: number;
}

/** A program that has ended. */
export interface Ended {
  /** The exit code; null if a signal ended the program. */
  readonly code: number | null;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly isTooLarge: boolean;
}

/** A program that was started. */
export interface Started {
  /** Rejects if the program could not be started: the error has the `code` of the system, such as `ENOENT`. */
  readonly ended: Promise<Ended>;
  /** The number of the process, once it is known. */
  readonly pid: () => number | undefined;
  /** Sends SIGTERM to the program, or to its whole group. */
  readonly terminate: () => void;
  /** Does not wait for more output: a process that the program has left behind may keep its outputs open. */
  readonly stopReading: () => void;
}
