// Joins the guards of the bases of a run: the guards of every base count.
import type { Guards } from '../../model/guards.ts';
import { strictestLimits, strictestOfAccess } from '../../model/limits.ts';

/** The strictest guards; undefined for an empty list. A hazard is accepted only if every base accepts it. */
export function joinedGuards([first, ...others]: readonly Guards[]): Guards | undefined {
  return first && others.reduce(joined, first);
}

function joined(one: Guards, other: Guards): Guards {
  return {
    protect: [...new Set([...one.protect, ...other.protect])],
    guarded: [...one.guarded, ...other.guarded],
    thresholds: strictestLimits(one.thresholds, other.thresholds),
    accessThresholds: strictestOfAccess(one.accessThresholds, other.accessThresholds) ?? {},
    accessTests: [...one.accessTests, ...other.accessTests],
    grants: [...one.grants, ...other.grants],
    allow: one.allow.filter(text => other.allow.includes(text)),
    places: new Map([...other.places, ...one.places]),
  };
}
