// Checks the writes of a long run while it runs, so that no member stays removed from a set until its end.
import { ApiError } from '../../../model/errors.ts';

/** The time between two looks, in milliseconds. */
const EVERY = 30_000;

/** The inputs of regular looks. */
export interface Looking {
  readonly now: () => number;
  /** When the run last wrote something to look at, in milliseconds; 0 if it has not. */
  readonly lastWrite: () => number;
  readonly look: () => Promise<void>;
  /** Called for a fault of our own. */
  readonly onFault: (error: unknown) => void;
}

/** Regular checks, one at a time. */
export interface RegularLooks {
  /** Starts a look, if there was a write since the last one and that is long ago. */
  readonly start: () => void;
  /** Resolves when no look is under way. */
  readonly ended: () => Promise<void>;
}

/** Starts with the time of the run. */
export function regularLooks({ now, lastWrite, look, onFault }: Looking): RegularLooks {
  let last = now();
  let running: Promise<void> | null = null;
  return {
    start: () => {
      if (running !== null || now() - last < EVERY || lastWrite() < last) return;
      last = now();
      // What cannot be read now is read at the end of the run.
      running = look()
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
