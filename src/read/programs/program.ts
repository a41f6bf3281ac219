// A program to start, and what is known once it has ended.

/** A program with everything that it gets. */
export interface Program {
  /** Looked up on the PATH of `env`. The program runs in the root folder, so no argument may be a relative path. */
  readonly file: string;
  readonly args: readonly string[];
  /** All variables of the program: it inherits none. */
  readonly env: Readonly<Record<string, string>>;
  /** The standard input. */
  readonly input: string | Uint8Array;
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
  /**
   * Settles once the program has ended, or all processes of its group. Rejects if the program could not be started: the error has
   * the `code` of the system, such as `ENOENT`.
   */
  readonly ended: Promise<Ended>;
  /** Ends the program, or its group. Its outputs are not read to the end: a process that it leaves behind may keep them open. */
  readonly end: () => void;
}

/** The folder in which programs run. */
export const ROOT_FOLDER = '/';
