// What a part of `npm run test:packaging` is: the tools it needs, its steps, and what it leaves to others to show.
import type { Bench } from './bench.ts';
import type { ToolName } from './tools.ts';

/** One thing that is shown; throws where it is not so. */
export type Step = () => Promise<void>;

export interface Part {
  /** Checked before anything runs: a missing tool fails the part. */
  readonly tools: readonly ToolName[];
  /** What this machine cannot show; printed with the result. */
  readonly notRun: readonly string[];
  /** Prepares what the steps share, and returns them by name, in the order in which they run. */
  readonly open: (bench: Bench) => Promise<Readonly<Record<string, Step>>>;
}
