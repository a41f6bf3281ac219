// A desired object as the files declare it, with its kind and its position.
import type { Kind } from '../../kinds/kind.ts';
import type { Desired } from '../../model/object.ts';
import type { SourceNode } from '../yaml/node.ts';

/** A desired object, and the positions of its parts. */
export interface Declared {
  readonly desired: Desired;
  readonly kind: Kind;
  readonly node: SourceNode;
  /** The parent of the object. */
  readonly parent?: Declared;
  /** Whether the object has a fault, so that its fields must not be relied on. */
  readonly isFaulty: boolean;
}
