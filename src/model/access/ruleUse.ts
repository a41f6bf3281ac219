// What was observed of the use of one rule, as pages show it.

export interface RuleUse {
  readonly policy: string;
  readonly rule: string;
  /** The position of the rule in its policy. */
  readonly position: number;
  /** A date; absent if no use was observed. */
  readonly last?: string;
  /** The days on which it was used, of those of the window. */
  readonly days: number;
  readonly ofDays: number;
  /** Whether the log would have shown each use. */
  readonly isCovered: boolean;
  /** The date on which the window begins. */
  readonly since: string;
  /** Flows of the rule that a plan would have stopped. */
  readonly stopped?: { readonly flows: number; readonly machines: number };
}
