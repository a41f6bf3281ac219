// Work in steps: between two steps, the caller may do something else or stop for good.

/** Work that pauses between its steps, and returns its result after the last step. */
export type InSteps<Result> = Generator<undefined, Result, undefined>;

/** The result of work whose steps are all done at once. */
export function atOnce<Result>(work: InSteps<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
