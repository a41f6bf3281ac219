// Tasks that run when they are due, independently of requests.
import type { Clock, Schedule } from '../environment.ts';

export interface Background {
  /** Wakes the tasks: a task may be due after a write or a change of the clock. */
  wake(): void;
  /** Stops the tasks. Pending tasks stay in the store. */
  stop(): void;
}

export interface BackgroundOptions {
  readonly clock: Clock;
  readonly schedule: Schedule;
  /** Runs every task that is due, and returns the time of the next task; undefined if there is none. */
  readonly work: () => Date | undefined;
  /** Receives the errors of `work`. */
  readonly onFault: (error: unknown) => void;
}

/** A background task that is not running yet. `work` returns the time at which it is due next. */
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
