// The machine on which an apply runs: its clock, this process, and the paths of its files.
import type { ProgramHost } from '../read/environment.ts';
import type { LockAsker } from './lockFile.ts';
import type { ApplyNote } from './note.ts';

/** What an apply needs from its machine. */
export interface ApplyHost extends ProgramHost {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after this number of milliseconds, or as soon as `signal` is aborted. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /**
   * Calls `tick` at this interval in milliseconds until the returned function is called. If absent,
   * a lock that all machines share is renewed only before writes.
   */
  readonly every?: ((milliseconds: number, tick: () => void) => () => void) | undefined;
  /** This process, and a check whether another process of this host runs. */
  readonly self: Omit<LockAsker, 'now'>;
  /** The folder to which paths are relative. */
  readonly cwd: string;
  /**
   * The folder for all journals. By default, journals are in the state folder of the user, because
   * no checkout can place a journal there.
   */
  readonly journals?: string | undefined;
  /**
   * The keys for signing what a later run trusts, separated by commas: the first key signs, all
   * keys verify. If absent, a key is derived from the API token.
   */
  readonly signingKey?: string | undefined;
  /** Receives reports in addition to the result. */
  readonly tell: (note: ApplyNote) => void;
}
