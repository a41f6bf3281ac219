// The access that the flows of a window used: the rules and routes of one state, each with the flows that it admitted.
import type { AccessState, Policy, Route, Rule } from '../../access/state/accessState.ts';
import type { Observed, ObservedFlow } from '../observed.ts';

/** The rules and routes of a state, and the uses of each. */
export interface Attribution {
  readonly observed: Observed;
  /** The state whose rules and routes these are. */
  readonly current: AccessState;
  /** One entry for each rule of the state, in order; disabled rules and drop rules have no uses. */
  readonly rules: readonly RuleUse[];
  /** One entry for each route of the state, in order. */
  readonly routes: readonly RouteUse[];
  readonly unexplained: readonly Unexplained[];
  readonly contradictions: readonly Contradiction[];
}

export interface RuleUse {
  readonly policy: Policy;
  readonly rule: Rule;
  /** The position of the rule in its policy. */
  readonly position: number;
  readonly uses: readonly Use[];
  /**
   * Flows that the rule may have admitted, for one of these reasons: the state of their time is
   * unknown; the server named the policy, but the model did not; nothing admits a flow between the
   * rule's sources and destinations.
   */
  readonly unknown: readonly ObservedFlow[];
}

/** A flow that a rule admitted. */
export interface Use {
  readonly flow: ObservedFlow;
  /** Whether the flow went from a destination of the rule to one of its sources. */
  readonly isReverse: boolean;
  /**
   * The source groups of the rule, by their keys in the current state, that the flow's source was in; in reverse use, those of
   * its destination.
   */
  readonly sourceGroups: readonly string[];
  /**
   * The destination groups of the rule that the other end was in; they include the groups of a network resource and the access
   * control groups of a route.
   */
  readonly destinationGroups: readonly string[];
}

export interface RouteUse {
  readonly route: Route;
  readonly uses: readonly RoutedUse[];
  readonly unknown: readonly ObservedFlow[];
}

/** A flow to an address of a route. */
export interface RoutedUse {
  readonly flow: ObservedFlow;
  /** The access control groups, by their keys in the current state, through which a rule admitted the flow. */
  readonly accessControl: readonly string[];
}

/** A flow that took place although nothing admits it in any of its states. */
export interface Unexplained {
  readonly flow: ObservedFlow;
  /** `unknown-object`: none of the states has its source or its destination. */
  readonly reason: 'no-rule' | 'no-machine' | 'unknown-object' | 'no-state';
  /**
   * Whether only the source reported the flow. The source does not know whether the flow was
   * refused.
   */
  readonly isAttempt: boolean;
}

/**
 * A policy that the server named for a flow, although it does not admit the flow in the states of
 * its time.
 */
export interface Contradiction {
  readonly flow: ObservedFlow;
  /** The id of the policy. */
  readonly policy: string;
  /** The ids of the policies that admit the flow, or their keys. */
  readonly admitted: readonly string[];
}
