// What every command is given.
import type { Io } from './io.ts';

export interface CommandContext {
  readonly io: Io;
  readonly version: string;
  /** Says how the command ended; the last word counts. */
  readonly finish: (code: number) => void;
}
