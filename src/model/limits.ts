// The limits of project files, compared: which are stricter.
import type { AccessThresholds } from './access/accessGates.ts';
import type { Threshold, Thresholds } from './guards.ts';

/** The limit of kinds that no project file mentions. */
export const BUILT_IN: Threshold = { share: 0.3 };

/** The limit at a place; that of `default` if it is not mentioned, and without one `otherwise`. */
export const limitAt = (
  thresholds: Thresholds,
  place: string,
  otherwise: Threshold = {},
): Threshold => thresholds[place] ?? thresholds.default ?? otherwise;

/** The limits of two files: the smaller number counts. A kind that one file does not mention has the default of that file. */
export function strictestOf(one?: Thresholds, other?: Thresholds): Thresholds | undefined {
  return one && other ? strictest(one, other) : (one ?? other);
}

/** The limits of layers: those of the last one, built-in limit included, and what the others mention if it is stricter. */
export function strictestOfLayers(
  last: Thresholds | undefined,
  others: readonly (Thresholds | undefined)[],
): Thresholds | undefined {
  const mentioned = others.filter(one => one !== undefined);
  return mentioned.length === 0 ? last : mentioned.reduce(strictest, withBuiltIn(last ?? {}));
}

/** The strictest of two limits, with the built-in limit for everything that they do not mention. */
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

/** The smaller of two numbers, either of which may be missing. */
export const smaller = (one?: number, other?: number): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
