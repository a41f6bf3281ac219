// A clock that stands still while anybody works, and leaps to the next one who sleeps when nobody does.

export interface VirtualTime {
  /** Milliseconds since it began. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** Turns of the loop after which nobody who has just been woken has anything left to do, where there are no sockets. */
const TURNS = 3;

/** A clock that begins at `start`, and leaps after so many turns of the loop in which everybody slept. */
export function virtualTime({ start = 0, turns = TURNS } = {}): VirtualTime {
  let time = start;
  let isTicking = false;
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  const tick = async (): Promise<void> => {
    while (sleepers.size > 0) {
      for (let n = 0; n < turns; n++) await new Promise(resolve => setImmediate(resolve));
      const [first] = [...sleepers].sort((a, b) => a.at - b.at);
      if (!first) break;
      time = Math.max(time, first.at);
      sleepers.delete(first);
      first.wake();
    }
    isTicking = false;
  };
  return {
    now: () => time,
    sleep: milliseconds =>
      new Promise(wake => {
        sleepers.add({ at: time + milliseconds, wake });
        if (!isTicking) {
          isTicking = true;
          void tick();
        }
      }),
  };
}
