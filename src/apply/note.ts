// The reports of an apply while it runs, in addition to its result. A report never stops the run.
import type { AccessGates } from '../model/access/accessGates.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import type { ReportedRun } from '../model/reportedRun.ts';
import type { LockOwner } from './lockFile.ts';

/** A report; `note` is its type. */
export type ApplyNote =
  /** The lock was taken over from an apply that ended without releasing it. */
  | { readonly note: 'lock-taken-over'; readonly from: LockOwner }
  /** The last apply of the same files at this address was interrupted. `journal` is its journal. */
  | { readonly note: 'cut-off'; readonly journal: string }
  /** There are unfinished applies. `isCounted`: the objects that they created count as declared by the base. */
  | {
      readonly note: 'unfinished';
      readonly runs: readonly ReportedRun[];
      readonly isCounted: boolean;
    }
  | { readonly note: 'findings'; readonly findings: readonly Diagnostic[] }
  /** Another run had the lock after the plan was made, so a new plan is made. */
  | { readonly note: 'planned-again' }
  /** The plan for the run was created; `digest` is its digest. */
  | { readonly note: 'planned'; readonly plan: Plan; readonly digest: string }
  /**
   * How much of the plan an earlier run completed. `isLeast`: the run may have completed more,
   * because a copy of its journal may lack the last lines.
   */
  | {
      readonly note: 'resuming';
      readonly plan: Plan;
      readonly done: number;
      readonly isLeast: boolean;
    }
  /** The access of a saved plan, evaluated again on the current account. */
  | { readonly note: 'judged'; readonly gates: AccessGates | undefined }
  /** The account is read to evaluate the access of a plan: `done` of `total` lists are read. */
  | { readonly note: 'reading'; readonly done: number; readonly total: number }
  | { readonly note: 'read' }
  /** The file that names the last recorded base is not trusted. */
  | { readonly note: 'unusable-base-note'; readonly file: string; readonly why: string }
  /**
   * Only the hosts of web addresses were compared, because the plan was created with another key.
   */
  | { readonly note: 'another-key' };
