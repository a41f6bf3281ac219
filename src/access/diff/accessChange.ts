// A change of access between some machines and their targets, in the terms of the model.
import type { Target } from '../flows/targets.ts';
import type { Bits } from '../sets/bits.ts';
import type { Traffic } from '../sets/traffic.ts';
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
  /** In place of `before` and `after`: what at least one of the sources gains or loses at at least one of the targets. */
  readonly moved?: MovedTraffic;
  /** One target for each set of rules that cause the difference; absent if all targets have the same set. */
  readonly examples?: readonly Target[];
}

/** Traffic of many pairs of a source and a target, as far as the results of posture checks are known. */
export interface MovedTraffic {
  /** What a source may newly send, at once or if it passes posture checks. */
  readonly gained: Traffic;
  /** What a source may send under fewer conditions than before. */
  readonly eased: Traffic;
  /** What a source could send and may not send any more, if it fails posture checks whose result is unknown. */
  readonly lost: Traffic;
}
