// Does one piece of work at a time. Requests that arrive while it runs are served by one more turn afterwards.

/** Work that is repeated whenever somebody requests it. */
export interface Turns {
  /** Asks for a turn that begins after this call. */
  readonly ask: () => void;
  /** Whether somebody has asked for another turn after the running one. */
  readonly isAsked: () => boolean;
  /** Resolves once no turn runs and nobody has asked for one. */
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
