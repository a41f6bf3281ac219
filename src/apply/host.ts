// The machine that an apply runs on: its clock, this process, and the paths of its files.
import type { ProgramHost } from '../read/environment.ts';
import type { LockAsker } from './lockFile.ts';
import type { ApplyNote } from './note.ts';

/** What an apply needs of the machine that it runs on. */
export interface ApplyHost extends ProgramHost {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after so many milliseconds, or as soon as `signal` is aborted. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /**
   * Calls `tick` at this interval in milliseconds, until the returned function is called. Without it, a lock that all machines share is
   * renewed only before writes.
   */
  readonly every?: ((milliseconds: number, tick: () => void) => () => void) | undefined;
  /** This process, and whether another process of this host runs. */
  readonly self: Omit<LockAsker, 'now'>;
  /** The folder that relative paths start from. */
  readonly cwd: string;
  /** The folder for all journals. By default, journals are in the state folder of the user, where no checkout can bring any. */
  readonly journals?: string | undefined;
  /**
   * The keys that sign what a later run believes, with commas between them: the first key signs, all keys verify. Without
   * it, a key is derived from the API token.
   */
  readonly signingKey?: string | undefined;
  /** Receives reports besides the result. */
  readonly tell: (note: ApplyNote) => void;
}
