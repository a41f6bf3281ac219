// Work that is done when it is due, and not as part of a request.
import type { Clock, Schedule } from '../environment.ts';

export interface Background {
  /** Says that there may be something to do: something was added, or the clock was put forward. */
  wake(): void;
  /** Ends it. Pending tasks stay. */
  stop(): void;
}

export interface BackgroundOptions {
  readonly clock: Clock;
  readonly schedule: Schedule;
  /** Runs every task that is due, and returns the time of the next one; undefined if there is none. */
  readonly work: () => Date | undefined;
  /** Told of what `work` throws. */
  readonly onFault: (error: unknown) => void;
}

export function newBackground({ clock, schedule, work, onFault }: BackgroundOptions): Background {
  let callOff = () => {};
  const arm = (milliseconds: number): void => {
    callOff();
    callOff = schedule(milliseconds, run);
  };
  const run = (): void => {
    try {
      const next = work();
      if (next !== undefined) arm(Math.max(0, next.getTime() - clock().getTime()));
    } catch (error) {
      onFault(error);
    }
  };
  return { wake: () => arm(0), stop: () => callOff() };
}
