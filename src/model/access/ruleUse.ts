// The observed use of one rule, as pages show it.

export interface RuleUse {
  readonly policy: string;
  readonly rule: string;
  /** The position of the rule in its policy. */
  readonly position: number;
  /** The date of the last use; absent if no use was observed. */
  readonly last?: string;
  /** The number of days of the window on which the rule was used. */
  readonly days: number;
  readonly ofDays: number;
  /** Whether the log would have shown each use. */
  readonly isCovered: boolean;
  /** The date on which the window begins. */
  readonly since: string;
  /** Flows of the rule that a plan would have stopped, and the number of their machines. */
  readonly stopped?: { readonly flows: number; readonly machines: number };
}
