// What every command is given.
import type { Io } from './io.ts';

/** Runs the command that words ask for, in the world of `io`. */
export type RunCommand = (words: readonly string[], io: Io, version: string) => Promise<number>;

/** The streams, and how a command reports its end. */
export interface CommandContext {
  readonly io: Io;
  readonly version: string;
  /** The words of the command line, without the name of the program. */
  readonly argv?: readonly string[];
  /** Says how the command ended; the last word counts. */
  readonly finish: (code: number) => void;
  /** Runs another command, and resolves to its exit code. */
  readonly run: RunCommand;
}
