// Declarations that a plan leaves out but compares.
import type { MissingObject } from '../../model/missingObjects.ts';
import type { Desired } from '../../model/object.ts';

/** Declarations to compare, and facts that explain some of their differences. */
export interface ComparedOnly {
  readonly objects: readonly Desired[];
  /**
   * Objects that the declarations name and the account does not have. Their absence does not count
   * as a difference.
   */
  readonly missing: readonly MissingObject[];
}
