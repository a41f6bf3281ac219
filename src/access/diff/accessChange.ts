// A change of access between some machines and their targets, in the terms of the model.
import type { Target } from '../flows/targets.ts';
import type { Bits } from '../sets/bits.ts';
import type { Traffic } from '../sets/traffic.ts';
import type { Access, ChangedProtocol, ChangeKind, Directions, Usable } from './changedCells.ts';

/**
 * Sources and targets whose access changes in the same way. A current machine that is both source and target is not its own
 * target.
 */
export interface AccessChange extends Directions {
  readonly kind: ChangeKind;
  readonly protocol: ChangedProtocol;
  readonly sources: Bits;
  /** Machines, or a single routed target. */
  readonly targets: readonly [Target, ...Target[]];
  /** The number of pairs of a source and a target. It is less than sources × targets if not every pair changes. */
  readonly pairs: number;
  /** The access of the sources before and after; absent if it differs from pair to pair. */
  readonly before?: Access;
  readonly after?: Access;
  readonly usable?: Usable;
  /**
   * Replaces `before` and `after`: the traffic that any of the sources gains or loses at any of the
   * targets.
   */
  readonly moved?: MovedTraffic;
  /**
   * One target for each set of rules that causes the difference; absent if the same rules cause it
   * at all targets.
   */
  readonly examples?: readonly Target[];
}

/**
 * Traffic of many pairs of a source and a target. It follows the known results of posture checks.
 */
export interface MovedTraffic {
  /** The traffic that a source may newly send, immediately or after it passes posture checks. */
  readonly gained: Traffic;
  /** The traffic that a source may send under fewer conditions than before. */
  readonly eased: Traffic;
  /** The traffic that a source could send before and may lose, if it fails posture checks whose result is unknown. */
  readonly lost: Traffic;
}
