// Asynchronous steps that must not overlap.

/** Runs each function once the previous function has settled, whether or not it failed. */
export function oneByOne(): <T>(use: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return use => {
    const turn = last.then(use, use);
    last = turn.catch(() => {});
    return turn;
  };
}
