// Compares the limits of project files and finds the stricter ones.
import type { AccessThresholds } from './access/accessGates.ts';
import type { Threshold, Thresholds } from './guards.ts';

/** The limit for kinds that no project file mentions. */
export const BUILT_IN: Threshold = { share: 0.3 };

/** The limit for a kind. A kind that is not mentioned has the limit of `default`, or `otherwise` if there is no default. */
export const limitAt = (
  thresholds: Thresholds,
  place: string,
  otherwise: Threshold = {},
): Threshold => thresholds[place] ?? thresholds.default ?? otherwise;

/**
 * The combined limits of two files: the smaller number counts. If a file does not mention a kind, the built-in limit counts as its
 * number.
 */
export function strictestOf(one?: Thresholds, other?: Thresholds): Thresholds | undefined {
  return one && other ? strictest(one, other) : (one ?? other);
}

/**
 * The combined limits of layers: the limits of the last layer and the built-in limit, and any stricter limit of another layer.
 */
export function strictestOfLayers(
  last: Thresholds | undefined,
  others: readonly (Thresholds | undefined)[],
): Thresholds | undefined {
  const mentioned = others.filter(one => one !== undefined);
  return mentioned.length === 0 ? last : mentioned.reduce(strictest, withBuiltIn(last ?? {}));
}

/** For each kind, the stricter limit of two sets of limits. If a set does not mention a kind, the built-in limit counts. */
export function strictestLimits(one: Thresholds, other: Thresholds): Thresholds {
  return strictest(withBuiltIn(one), withBuiltIn(other));
}

const withBuiltIn = (limits: Thresholds): Thresholds => ({ default: BUILT_IN, ...limits });

function strictest(one: Thresholds, other: Thresholds): Thresholds {
  const places = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries(
    [...places].map(place => [place, stricter(limitAt(one, place), limitAt(other, place))]),
  );
}

function stricter(one: Threshold, other: Threshold): Threshold {
  const deletes = smaller(one.deletes, other.deletes);
  const share = smaller(one.share, other.share);
  return { ...(deletes !== undefined && { deletes }), ...(share !== undefined && { share }) };
}

/** The limits of access of two files. */
export function strictestOfAccess(
  one?: AccessThresholds,
  other?: AccessThresholds,
): AccessThresholds | undefined {
  if (!one || !other) return one ?? other;
  const gained = smaller(one.gained, other.gained);
  const lost = smaller(one.lost, other.lost);
  return { ...(gained !== undefined && { gained }), ...(lost !== undefined && { lost }) };
}

/** The smaller of two numbers, of which either may be missing. */
export const smaller = (one?: number, other?: number): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
