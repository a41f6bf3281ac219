// The access rules that can stop a plan: tests, thresholds and guarded access.

import type { Span } from '../diagnostic.ts';
import type { AccessTest, TestVerdict } from './accessTest.ts';
import type { AccessChangeEntry, AccessGain } from './planAccess.ts';

/** The number of pairs of a machine and a destination that a plan may gain or lose without confirmation. */
export interface AccessThresholds {
  readonly gained?: number;
  readonly lost?: number;
}

/** An entry of `guarded`: a destination, or the access of some sources to a destination. */
export interface GuardedAccess {
  readonly from?: string;
  readonly to: string;
  /** The name that the file contains. Present if somebody renamed the object, so that `to` is its id. */
  readonly written?: string;
  /** The place of the entry in the file. */
  readonly at?: Span;
  /** The files no longer contain the guard. It still counts, because the last apply had it. */
  readonly former?: true;
  /** The other folder of the account that declares the guard. */
  readonly folder?: string;
  /**
   * When the plan was made, only the files had an object of that name. The account had none, before
   * or after the plan.
   */
  readonly unprovided?: true;
}

/**
 * Whether the files of the run declare a guard. Other guards, from the last apply or from other folders, may name missing
 * objects.
 */
export const isDeclaredHere = ({
  former,
  folder,
}: Pick<GuardedAccess | AccessTest, 'former' | 'folder'>): boolean =>
  !former && folder === undefined;

/** The limits of a project for changes of access. */
export interface AccessGuards {
  readonly thresholds?: AccessThresholds;
  readonly guarded: readonly GuardedAccess[];
  /** Whether no access may be gained. */
  readonly noNewAccess: boolean;
}

/** The hazards of access, each of which concerns a whole plan. */
export const ACCESS_HAZARDS = [
  'WIDENS_ACCESS',
  'NARROWS_ACCESS',
  'WIDENS_GUARDED_ACCESS',
  'NARROWS_GUARDED_ACCESS',
  'CUTS_GUARDED_ACCESS',
  'CUTS_USED_ACCESS',
  'SHRINKS_GUARDED_TARGET',
  'EMPTIES_ACCESS_TEST',
] as const;

/** Hazards that are accepted only by a flag that names the target. No file can accept them. */
export const HAZARDS_OF_TARGETS: readonly string[] = [
  'WIDENS_GUARDED_ACCESS',
  'NARROWS_GUARDED_ACCESS',
  'CUTS_GUARDED_ACCESS',
  'SHRINKS_GUARDED_TARGET',
  'EMPTIES_ACCESS_TEST',
] satisfies (typeof ACCESS_HAZARDS)[number][];

export type AccessHazardCode = (typeof ACCESS_HAZARDS)[number];

/**
 * The members of both sides of the access in a finding. The person who accepts the finding sees these members, but none who join
 * later.
 */
export interface FindingMembers {
  /** The current machines on both sides, and the users who may sign in, by name. */
  readonly members: readonly string[];
  /** The ids of the members, by name, as far as they have ids. Another machine may get the name of a removed machine later. */
  readonly member_ids: Readonly<Record<string, string>>;
  /** The setup keys and users whose future machines are among the sources. */
  readonly joining?: readonly string[];
  /** The members that fail posture checks. They get the access only when they pass. */
  readonly failing?: readonly string[];
}

/** The sources and destinations of access, as lines of a plan list them. */
type PairSides = Pick<
  AccessChangeEntry,
  'from' | 'to' | 'address' | 'machines' | 'members_to_come' | 'to_machines' | 'to_members_to_come'
>;

/**
 * Traffic that each of some sources gains or loses at each of some destinations. With the condition `posture`, it is gained only if
 * posture checks pass, or lost only if they fail.
 */
export type MovedPorts = PairSides & Pick<AccessGain, 'protocol' | 'ports' | 'condition'>;

/** The pairs that a finding is about, if the lines of the plan do not show them. */
export interface MovedPairs {
  readonly moved?: readonly MovedPorts[];
  /** In place of `moved`, if the list would be too long: a text that is equal for the same pairs with the same ports. */
  readonly moved_digest?: string;
}

/**
 * A finding of a gate about a plan. All gates write to one list of findings; every output and every refusal is a view of that
 * list.
 */
export interface AccessFinding extends Partial<FindingMembers>, MovedPairs {
  readonly gate: 'tests' | 'thresholds' | 'guarded' | 'no_new_access' | 'use';
  /**
   * `test`: a line of an access test fails. `left`: the plan removes an object from a guarded target or from an access test.
   * `unread`: the gate cannot judge, because a list could not be read.
   */
  readonly what: 'gained' | 'lost' | 'right' | 'test' | 'left' | 'unread';
  /** The sources that gain or lose access, the object whose change grants a right, or the machine or address that is removed. */
  readonly who?: string;
  readonly where?: string;
  /**
   * More about the finding: ports, the right in words, the failed line, how a destination leads to the guarded target, the fact
   * that is unknown without a base, or the unreadable lists.
   */
  readonly detail?: string;
  /** Pairs of a current machine and a destination. */
  readonly pairs?: number;
  /** The number of pairs that the threshold allows. */
  readonly limit?: number;
  /** The changes of the plan that cause the finding, as far as they are known. */
  readonly causes: readonly string[];
  /** The hazard that a person can accept. Without a hazard, the finding cannot be allowed. */
  readonly code?: AccessHazardCode;
  /** The guarded destination or the access test, and the guarded sources. */
  readonly target?: string;
  readonly from?: string;
  /** The source of the acceptance. `plan`: the approved plan already allowed as much. */
  readonly allowed_by?: 'flag' | 'project' | 'plan';
}

/** A change of access that a person must accept by name: a view of the findings with its code and target. */
export interface AccessHazard {
  readonly code: AccessHazardCode;
  /** The guarded destination, or the access test. If present, an allowance must name it. */
  readonly target?: string;
  readonly message: string;
  /** The access that is gained or lost; for a threshold, only the number. */
  readonly flows: readonly string[];
  /** Pairs of a current machine and a destination. */
  readonly pairs: number;
  readonly allowed: boolean;
}

/** The access tests of a plan. */
export interface PlannedTests {
  readonly tests: readonly AccessTest[];
  /** The results if the plan is carried out; absent if the user skipped the tests. */
  readonly verdicts?: readonly TestVerdict[];
}

/** The access tests and guards of a plan, and their results. */
export interface AccessGates {
  readonly tests?: PlannedTests;
  readonly guards?: AccessGuards;
  readonly findings: readonly AccessFinding[];
}
