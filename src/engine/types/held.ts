// Declarations that a plan leaves out, and that are compared all the same.
import type { MissingObject } from '../../model/missing.ts';
import type { Desired } from '../../model/object.ts';

/** Declarations to compare, and what explains some of their differences. */
export interface Held {
  readonly objects: readonly Desired[];
  /** Objects that these name and that the account does not have: that they are not there is no difference of these. */
  readonly missing: readonly MissingObject[];
}
