// Does one piece of work at a time. If work is requested while it runs, it runs once more
// afterwards.

/** Work that is repeated when it is requested. */
export interface Turns {
  /** Requests a turn that begins after this call. */
  readonly ask: () => void;
  /** Whether another turn was requested after the current one. */
  readonly isAsked: () => boolean;
  /** Resolves once no turn runs and none is requested. */
  readonly settled: () => Promise<void>;
}

/** Turns of `work`, which must not reject. */
export function turnsOf(work: () => Promise<void>): Turns {
  let isAsked = false;
  let running: Promise<void> | undefined;
  const run = async () => {
    while (isAsked) {
      isAsked = false;
      await work();
    }
    running = undefined;
  };
  return {
    ask: () => {
      isAsked = true;
      running ??= run();
    },
    isAsked: () => isAsked,
    settled: async () => {
      while (running !== undefined) await running;
    },
  };
}
