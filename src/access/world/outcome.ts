// An outcome of the posture checks: which conditions hold for members whose posture is unknown.
import type { Requirement } from '../posture/judgePosture.ts';

/** The conditions that hold. */
export interface HoldingConditions {
  readonly holds: (requirement: Requirement) => boolean;
}

/**
 * The posture of the source, and of the target or routing machine. Access depends on both, and they
 * may differ. Known facts about a member take precedence.
 */
export interface Outcome {
  readonly ofSource: HoldingConditions;
  readonly ofOthers: HoldingConditions;
}

/** Every condition holds. */
export const ALL_HOLD: Outcome = {
  ofSource: { holds: () => true },
  ofOthers: { holds: () => true },
};

/** A set of conditions. A policy counts only if all of them hold. */
export type Required = readonly Requirement[];
