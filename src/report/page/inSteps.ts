// Work in steps: whoever has it done may do something else between two of them, or never go on.

/** Work that gives way between its steps, and returns its result after the last one. */
export type InSteps<Result> = Generator<undefined, Result, undefined>;

/** The result of work that is done at once. */
export function atOnce<Result>(work: InSteps<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
