// What keeps a plan from being carried out because of what it means for access: tests, thresholds, guarded access.

import type { Span } from '../diagnostic.ts';
import type { AccessTest, TestVerdict } from './accessTest.ts';

/** How many pairs of a machine and a destination a plan may gain or lose without a person's word. */
export interface AccessThresholds {
  readonly gained?: number;
  readonly lost?: number;
}

/** An entry of `guarded`: a destination, or the access of some sources to a destination. */
export interface GuardedAccess {
  readonly from?: string;
  readonly to: string;
  /** Where it is written. */
  readonly at?: Span;
}

/** What a project says about the access that plans may change. */
export interface AccessGuards {
  readonly thresholds?: AccessThresholds;
  readonly guarded: readonly GuardedAccess[];
  /** Whether no access may be gained at all. */
  readonly noNewAccess: boolean;
}

/** The hazards of access, which concern a whole plan. */
export const ACCESS_HAZARDS = ['WIDENS_ACCESS', 'NARROWS_ACCESS', 'CUTS_GUARDED_ACCESS'] as const;

export type AccessHazardCode = (typeof ACCESS_HAZARDS)[number];

/** A change of access that a person must accept by name. */
export interface AccessHazard {
  readonly code: AccessHazardCode;
  /** The guarded destination that it concerns. Then only an allowance that names the destination accepts it. */
  readonly target?: string;
  readonly message: string;
  /** The access that is gained or lost; of a threshold only how much. */
  readonly flows: readonly string[];
  /** Pairs of a machine of today and a destination. */
  readonly pairs: number;
  readonly allowed: boolean;
}

/** The access tests of a plan. */
export interface PlannedTests {
  readonly tests: readonly AccessTest[];
  /** Of the account with the plan carried out; absent if they were not judged, because somebody asked for that. */
  readonly verdicts?: readonly TestVerdict[];
}

/** What a plan's access was held against, and what came of it. */
export interface AccessGates {
  readonly tests?: PlannedTests;
  readonly guards?: AccessGuards;
  readonly hazards: readonly AccessHazard[];
  /** Access that is gained although none may be, and what could not be read to know it. */
  readonly newAccess: readonly string[];
}
