// What the flows of a window used: the rules and routes of one state, each with the flows that it admitted.
import type { AccessState, Policy, Route, Rule } from '../../access/state/accessState.ts';
import type { Observed, ObservedFlow } from '../observed.ts';

/** The rules and routes of a state, and what of them was used. */
export interface Attribution {
  readonly observed: Observed;
  /** The state whose rules and routes these are. */
  readonly current: AccessState;
  /** One for each rule of the state, in its order: those that are disabled and those that drop have no uses. */
  readonly rules: readonly RuleUse[];
  /** One for each route of the state, in its order. */
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
  /** Flows that the rule may have admitted: nobody knows the state that held then, the server named the policy and the model did not, or nothing admits a flow between its sources and destinations. */
  readonly unknown: readonly ObservedFlow[];
}

/** A flow that a rule admitted. */
export interface Use {
  readonly flow: ObservedFlow;
  /** Whether it went from a destination of the rule to one of its sources. */
  readonly isReverse: boolean;
  /** The source groups of the rule, by their keys in the current state, that its source was in. Of reverse use, its destination. */
  readonly sourceGroups: readonly string[];
  /** The same of the other side: also the groups of a network resource, and access control groups of a route. */
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
  /** The access control groups, by their keys in the current state, by which a rule admitted it. */
  readonly accessControl: readonly string[];
}

/** A flow that took place, and that nothing admits in any of its states. */
export interface Unexplained {
  readonly flow: ObservedFlow;
  /** `unknown-object`: none of the states has its source or its destination. */
  readonly reason: 'no-rule' | 'no-machine' | 'unknown-object' | 'no-state';
  /** Whether only its source reported it, which does not know whether it was refused. */
  readonly isAttempt: boolean;
}

/** A policy that the server named for a flow, and that does not admit it by the states that held then. */
export interface Contradiction {
  readonly flow: ObservedFlow;
  /** The id of the policy. */
  readonly policy: string;
  /** The ids of the policies that admit it, or their keys. */
  readonly admitted: readonly string[];
}
