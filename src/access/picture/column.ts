// A column of a matrix, before it has a name.
import type { Target } from '../flows/targets.ts';
import type { Bits } from '../sets/bits.ts';

/** A destination of a matrix, with the target that represents it. */
export interface Column {
  readonly target: Target;
  /** The class; absent for a routed destination. */
  readonly bits?: Bits;
}
