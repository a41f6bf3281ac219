// Asynchronous steps that must not overlap.

/** Runs each function once the one before has settled, whether that failed or not. */
export function oneByOne(): <T>(use: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return use => {
    const turn = last.then(use, use);
    last = turn.catch(() => {});
    return turn;
  };
}
