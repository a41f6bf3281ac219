// What an apply reports while it goes on, apart from its result. Nothing here stops it.
import type { AccessGates } from '../model/access/accessGates.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import type { LockOwner } from './lock/lock.ts';

/** Something to report; `note` says what. */
export type ApplyNote =
  /** The lock was taken over from an apply that ended without releasing it. */
  | { readonly note: 'lock-taken-over'; readonly from: LockOwner }
  /** The last apply of the same files at this address was cut off. */
  | { readonly note: 'cut-off'; readonly journal: string }
  | { readonly note: 'findings'; readonly findings: readonly Diagnostic[] }
  /** The plan that is about to be carried out was made. */
  | { readonly note: 'planned'; readonly plan: Plan }
  /** How much of the plan an earlier run has done. */
  | { readonly note: 'resuming'; readonly plan: Plan; readonly done: number }
  /** The access of a saved plan, judged again on the account as it is now. */
  | { readonly note: 'judged'; readonly gates: AccessGates | undefined }
  /** The account is read for that: so many lists of so many. */
  | { readonly note: 'reading'; readonly done: number; readonly total: number }
  | { readonly note: 'read' }
  /** Of web addresses in the plan only the hosts were compared: it was made with another key. */
  | { readonly note: 'another-key' };
