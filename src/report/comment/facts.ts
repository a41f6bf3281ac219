// The first line of a comment: facts for programs, in an HTML comment that forges do not show. It contains only numbers, codes
// and digests, and no text that others have chosen.

import { givesAccess, takesAccess } from '../../model/access/planAccess.ts';
import type { HazardCode } from '../../model/codes.ts';
import type { Plan } from '../../model/plan.ts';
import { jsonLine } from '../../model/text/jsonText.ts';
import { hazardsOf } from '../plan/neededFlags.ts';
import { countChanges } from '../text/summary.ts';

/** The numbers of a plan. */
export interface PlanFacts {
  readonly changes: number;
  readonly add: number;
  readonly change: number;
  readonly destroy: number;
  /** The codes of hazards that are not accepted. */
  readonly hazards: readonly HazardCode[];
  /**
   * The number of entries of the access diff that grant access, and of those that remove it. An entry that does both counts in
   * both numbers.
   */
  readonly access_gained: number;
  readonly access_lost: number;
}

interface Approved {
  /** The digest of a saved plan. */
  readonly digest?: string | undefined;
}

/** The facts of a comment. */
export type CommentFacts =
  | ({ readonly report: 'plan' } & PlanFacts & Approved)
  | ({ readonly report: 'apply'; readonly complete: boolean } & PlanFacts & Approved)
  | { readonly report: 'drift'; readonly changes: number; readonly acknowledged: number }
  | {
      readonly report: 'tighten';
      readonly certain: number;
      readonly decide: number;
      readonly unknown: number;
    }
  | {
      readonly report: 'fleet-plan';
      readonly accounts: number;
      /** Accounts in which something changes. */
      readonly changes: number;
      readonly groups: number;
      readonly unplanned: number;
      readonly hazards: readonly string[];
      readonly digest?: string | undefined;
    }
  | { readonly report: 'failure'; readonly command: FailedCommand; readonly errors: number };

/** A command that prints comments. */
export type FailedCommand = 'plan' | 'apply' | 'drift';

/** The numbers of a plan. */
export function planFacts(plan: Plan): PlanFacts {
  const open = hazardsOf(plan).flatMap(({ code, allowed }) => (allowed ? [] : code));
  const entries = plan.access?.changes ?? [];
  return {
    changes: plan.changes.length,
    ...countChanges(plan.changes),
    hazards: [...new Set(open)].sort(),
    access_gained: entries.filter(givesAccess).length,
    access_lost: entries.filter(takesAccess).length,
  };
}

/** The line of the facts. */
export const factsLine = (facts: CommentFacts): string =>
  `<!-- meshform ${jsonLine(facts).trimEnd()} -->`;
