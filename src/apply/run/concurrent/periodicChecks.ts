// Checks the writes of a long run while it is in progress, so that a member that was removed from a
// set by mistake is not missing until the run ends.
import { ApiError } from '../../../model/errors.ts';

/** The time between two checks, in milliseconds. */
const EVERY = 30_000;

/** The inputs of regular checks. */
export interface PeriodicChecksInput {
  readonly now: () => number;
  /**
   * When the run last wrote an object that needs the check, in milliseconds since 1970; 0 if it
   * wrote none.
   */
  readonly lastWrite: () => number;
  readonly check: () => Promise<void>;
  /** Called for an error in meshform itself. */
  readonly onFault: (error: unknown) => void;
}

/** Regular checks, one at a time. */
export interface PeriodicChecks {
  /** Starts a check if something was written since the last check and the last check was long ago. */
  readonly start: () => void;
  /** Resolves when no check is running. */
  readonly ended: () => Promise<void>;
}

/** Makes the checks. The first interval starts with the run. */
export function periodicChecks({
  now,
  lastWrite,
  check,
  onFault,
}: PeriodicChecksInput): PeriodicChecks {
  let last = now();
  let running: Promise<void> | null = null;
  return {
    start: () => {
      if (running !== null || now() - last < EVERY || lastWrite() < last) return;
      last = now();
      // A failed read is repeated at the end of the run.
      running = check()
        .catch((error: unknown) => {
          if (!(error instanceof ApiError)) onFault(error);
        })
        .finally(() => {
          running = null;
        });
    },
    ended: async () => {
      await running;
    },
  };
}
