// What a lint is: a pure function over files as a server would keep them, which finds places.
import type { Desired } from '../../model/object.ts';
import type { Path } from '../../model/value.ts';
import type { LintContext } from './context.ts';

/** One place that a lint finds. */
export interface Found {
  /** The object as a server keeps it. */
  readonly object: Desired;
  /** Where in the object; the nearest value that is written counts. */
  readonly path: Path;
  /** The name of the rule that the finding is about, if any. */
  readonly rule?: string;
  /** One sentence without a full stop. */
  readonly message: string;
  /** The change that would end it. */
  readonly hint: string;
}

/** A lint. */
export type Lint = (context: LintContext) => readonly Found[];
