// A desired object as the files declare it, with its kind and its place.
import type { Kind } from '../../kinds/kind.ts';
import type { Desired } from '../../model/object.ts';
import type { Placed } from '../yaml/document.ts';

/** A desired object, and where its parts stand. */
export interface Declared {
  readonly desired: Desired;
  readonly kind: Kind;
  readonly placed: Placed;
  /** What it nests in. */
  readonly parent?: Declared;
  /** Whether something in it is wrong, so that what it is made of is not to be relied on. */
  readonly isFaulty: boolean;
}
