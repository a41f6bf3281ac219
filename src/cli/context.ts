// The context that every command receives.
import type { Io } from './io.ts';

/** Runs the command in `words`, with the effects of `io`. */
type RunCommand = (words: readonly string[], io: Io, version: string) => Promise<number>;

/** The streams, and the function that reports the exit code. */
export interface CommandContext {
  readonly io: Io;
  readonly version: string;
  /** The arguments of the command line, without the name of the program. */
  readonly argv?: readonly string[];
  /** Sets the exit code; the last call counts. */
  readonly finish: (code: number) => void;
  /** Runs another command, and resolves to its exit code. */
  readonly run: RunCommand;
}
