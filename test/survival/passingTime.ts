// A clock that a test moves: what is due then runs at once.
import type { Schedule } from '../../src/emulator/environment.ts';

export interface PassingTime {
  readonly now: () => number;
  readonly schedule: Schedule;
  /** Lets so many milliseconds pass. */
  readonly pass: (milliseconds: number) => void;
}

/** A clock that starts at `start`, in milliseconds since 1970. */
export function passingTime(start: number): PassingTime {
  let now = start;
  const waiting = new Set<{ readonly at: number; readonly work: () => void }>();
  return {
    now: () => now,
    schedule: (milliseconds, work) => {
      const entry = { at: now + milliseconds, work };
      waiting.add(entry);
      return () => void waiting.delete(entry);
    },
    pass: milliseconds => {
      now += milliseconds;
      for (const entry of [...waiting].filter(({ at }) => at <= now)) {
        waiting.delete(entry);
        entry.work();
      }
    },
  };
}
