// An outcome of the posture checks: which conditions hold for the members of whom that is not known.
import type { Requirement } from '../posture/judge.ts';

/** The conditions that hold. */
export interface Holding {
  readonly has: (requirement: Requirement) => boolean;
}

/**
 * Access depends on the posture of its source, and on that of the machine at the other end or on the way, which may be
 * different. Known facts of a member take precedence.
 */
export interface Outcome {
  readonly ofSource: Holding;
  readonly ofOthers: Holding;
}

/** Every condition holds. */
export const ALL_HOLD: Outcome = {
  ofSource: { has: () => true },
  ofOthers: { has: () => true },
};

/** A set of conditions, all of which must hold for a policy to count. */
export type Required = readonly Requirement[];
