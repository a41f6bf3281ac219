// The unused access in the files, in a form for people and programs.
import type { Span } from './diagnostic.ts';
import type { Key, KindName } from './names.ts';

/** The part of the files that a finding is about. */
type FindingType =
  | 'unused-policy'
  | 'unused-rule'
  | 'unused-route'
  | 'unused-port'
  | 'wide-range'
  | 'wide-protocol'
  | 'unused-source-group'
  | 'unused-destination-group'
  | 'unused-reverse'
  | 'few-resources'
  | 'unused-access-control-group'
  | 'duplicate-rule';

/**
 * `certain`: no observed flow would be lost, and every source that could have a flow was observed. `decide`: flows would be lost.
 * `unknown`: the log does not show it.
 */
export type FindingState = 'certain' | 'decide' | 'unknown';

/** The object that a finding narrows. */
export interface NarrowedObject {
  readonly kind: KindName;
  readonly key: Key;
  /** The name of the rule; absent if the finding is about the whole object, or the object has no rules. */
  readonly rule?: string;
  readonly at: Span;
}

/** An observed flow, such as one that a removal would have stopped. */
export interface LostFlow {
  readonly source: string;
  readonly destination: string;
  readonly protocol: string;
  /** The last time, in milliseconds. */
  readonly last: number;
}

/** Flows that a removal would have stopped. */
export interface LostFlows {
  readonly flows: number;
  /** The number of all flows of the rule or route. */
  readonly of: number;
  readonly machines: number;
  /** A few of the lost flows, latest first. */
  readonly examples: readonly LostFlow[];
}

/** One finding. */
export interface TightenFinding {
  readonly type: FindingType;
  readonly object: NarrowedObject;
  /** The place of the unused part in the files. */
  readonly at: Span;
  /** The part, such as `port 8443`. */
  readonly what: string;
  /** The observed use, such as `unused in these 45 days`. */
  readonly observed: string;
  /** The edit: `remove`, or the new value. */
  readonly edit: string;
  readonly state: FindingState;
  /** The reason why the state is not `certain`, or why nothing is proposed. */
  readonly reason?: string;
  /** Absent if no log was read. */
  readonly lost?: LostFlows;
}

/** A finding for which no edit is proposed, with the reason. */
export interface KeptFinding {
  readonly finding: TightenFinding;
  /** The reason for which the access is kept. `lifecycle`: `keep_access` of the object. */
  readonly by: 'lifecycle' | 'break-glass' | 'protect' | 'test' | 'guard';
  readonly reason: string;
}

/** The known use of the object or rule of some findings. */
export interface ObjectUse {
  readonly days: number;
  readonly ofDays: number;
  readonly reporting: number;
  readonly ofMachines: number;
}

/** Findings about one rule or route. */
export interface TightenedObject {
  readonly object: NarrowedObject;
  readonly use?: ObjectUse;
  readonly findings: readonly TightenFinding[];
}

/**
 * A policy that the server names for flows that it does not admit. Nothing is proposed, because the
 * server or the model is wrong.
 */
export interface ContradictedPolicy {
  /** The name of the policy in the account. */
  readonly policy: string;
  /** The policy in the files; absent if they do not declare it. */
  readonly object?: NarrowedObject;
  readonly flows: number;
  /** The names of the policies that admit some of these flows. */
  readonly admitted: readonly string[];
  /** A few of the flows, latest first. */
  readonly examples: readonly LostFlow[];
}

/** All findings. The most useful come first. */
export interface Tightening {
  /** Absent if no log was read. */
  readonly log?: {
    readonly from: number;
    readonly to: number;
    readonly days: number;
    readonly flows: number;
    readonly gaps: readonly {
      readonly from: number;
      readonly to: number;
      readonly reason: string;
    }[];
  };
  readonly objects: readonly TightenedObject[];
  readonly kept: readonly KeptFinding[];
  /** Absent if there is none. */
  readonly contradictions?: readonly ContradictedPolicy[];
}

/** The findings in their order. */
export const findingsOf = ({ objects }: Tightening): readonly TightenFinding[] =>
  objects.flatMap(({ findings }) => findings);
