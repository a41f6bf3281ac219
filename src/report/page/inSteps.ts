// Work that is done in steps. Between two steps, the caller may do something else or stop the work for good.

/** Work that pauses between its steps, and returns its result after the last step. */
export type InSteps<Result> = Generator<undefined, Result, undefined>;

/** Runs all steps at once, and returns the result. */
export function atOnce<Result>(work: InSteps<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
