// The machine that an apply runs on: its clock, this process, and where files lie.
import type { LockAsker } from './lock/lock.ts';
import type { ApplyNote } from './note.ts';

/** What an apply needs of the machine that it runs on. */
export interface ApplyHost {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after so many milliseconds, or as soon as `signal` is aborted. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** This process, and whether another process of this host runs. */
  readonly self: Omit<LockAsker, 'now'>;
  /** Relative paths start here. */
  readonly cwd: string;
  /** The folder for the journals of all desired state. By default each lie beside their files. */
  readonly journals?: string | undefined;
  /** Receives what is to be reported besides the result. */
  readonly tell: (note: ApplyNote) => void;
}
