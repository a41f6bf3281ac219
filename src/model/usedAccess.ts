// The access that was used, in a form for people and programs. Times are texts, and objects have their ids if the server has one.

export interface UsedAccess {
  readonly observed: {
    readonly from: string;
    readonly to: string;
    readonly days: number;
    readonly flows: number;
    readonly gaps: readonly {
      readonly from: string;
      readonly to: string;
      readonly reason: string;
    }[];
  };
  readonly rules: readonly UsedRule[];
  readonly routes: readonly UsedRoute[];
  readonly unexplained: readonly OddFlow[];
  readonly contradictions: readonly OddFlow[];
}

/** The number of uses. A flow that both its source and its destination report counts once. */
export interface UseCount {
  readonly flows: number;
  readonly days: number;
  /** Absent if it was not used. */
  readonly first_used?: string;
  readonly last_used?: string;
}

/** Whether the log would have shown a use. */
export interface UseCoverage {
  readonly covered: boolean;
  /** The number of machines that would admit the access, and the number of those that reported flows. */
  readonly machines: number;
  readonly reporting: number;
  readonly reasons: readonly string[];
}

/** A rule, its use, and the use of each of its sources, destinations and ports. */
export interface UsedRule {
  readonly policy: string;
  readonly policy_id?: string;
  readonly rule: string;
  readonly rule_id?: string;
  readonly use: UseCount;
  readonly coverage: UseCoverage;
  /** The number of flows that may be uses of the rule. */
  readonly unknown_flows: number;
  readonly access: readonly UsedPart[];
}

export interface UsedPart {
  /** A group, or a machine that the rule names. */
  readonly source: string;
  readonly destination: string;
  readonly protocol: string;
  /** Absent for protocols without ports, and if the log contains no port. */
  readonly port?: number;
  /** Whether the destination opened the connection. */
  readonly reverse?: true;
  readonly use: UseCount;
  /** The number of machines of the source that used the access. */
  readonly machines: number;
  /** All machines of the source. */
  readonly of_machines: number;
}

export interface UsedRoute {
  readonly route: string;
  readonly route_id?: string;
  readonly use: UseCount;
  readonly coverage: UseCoverage;
  readonly unknown_flows: number;
  /** The access-control groups by which the flows were admitted. */
  readonly access_control: readonly string[];
}

/** A flow that the rules do not explain. */
export interface OddFlow {
  readonly source: string;
  readonly destination: string;
  readonly protocol: string;
  readonly port?: number;
  readonly days: number;
  readonly last: string;
  /** The reason, as a clause. */
  readonly reason: string;
}
