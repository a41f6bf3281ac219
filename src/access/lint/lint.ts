// The type of a lint: a pure function from declared objects, as the server stores them, to
// findings.
import type { Desired } from '../../model/object.ts';
import type { Path } from '../../model/value.ts';
import type { LintContext } from './lintContext.ts';

/** A finding of a lint. */
export interface Found {
  /** The object as the server stores it. */
  readonly object: Desired;
  /**
   * The path of a value in the object. The reported position is that of the nearest declared value.
   */
  readonly path: Path;
  /** The name of the rule that the finding is about, if any. */
  readonly rule?: string;
  /** One sentence without a full stop. */
  readonly message: string;
  /** The change that would resolve the finding. */
  readonly hint: string;
}

/** A lint. */
export type Lint = (context: LintContext) => readonly Found[];
