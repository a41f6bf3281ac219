// One piece of work at a time: whoever asks while it runs is served by one more turn after it.

/** Work that is done again whenever somebody asks. */
export interface Turns {
  /** Asks for a turn that begins after now. */
  readonly ask: () => void;
  /** Whether somebody has asked for another turn than the one that runs. */
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
