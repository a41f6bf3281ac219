// A change of access between some machines and their targets, in the terms of the model.
import type { Target } from '../flows/targets.ts';
import type { Bits } from '../sets/bits.ts';
import type { Access, ChangedProtocol, ChangeKind, Directions, Usable } from './changedCells.ts';

/**
 * Sources and targets whose access changes in the same way. An existing machine that is source and target is not its own target.
 */
export interface AccessChange extends Directions {
  readonly kind: ChangeKind;
  readonly protocol: ChangedProtocol;
  readonly sources: Bits;
  /** Machines, or one routed target. */
  readonly targets: readonly [Target, ...Target[]];
  /** The number of pairs of a source and a target. Fewer than sources × targets if not every pair changes. */
  readonly pairs: number;
  /** The access of the sources before and after; absent if it differs from pair to pair. */
  readonly before?: Access;
  readonly after?: Access;
  readonly usable?: Usable;
  /** One target for each set of rules that cause the difference; absent if all targets have the same set. */
  readonly examples?: readonly Target[];
}
