// What became of each action of a plan.
import type { DiagnosticCode, FaultCode } from './codes.ts';
import type { ActionId, Address, RemoteId } from './names.ts';

/** Why an action failed, in a form that can be printed and stored. */
export interface Fault {
  readonly code:
    | FaultCode
    | Extract<DiagnosticCode, 'PLAN_STALE' | 'SECRET_UNDEFINED' | 'SECRET_UNREADABLE'>;
  readonly message: string;
  readonly hint?: string;
}

interface OutcomeBase {
  readonly action: ActionId;
  readonly address: Address;
}

/** The server has answered the write with success, and what it kept has not been read yet. */
export interface SentOutcome extends OutcomeBase {
  readonly status: 'sent';
  readonly remoteId: RemoteId;
  readonly notes: readonly string[];
}

export type Outcome =
  | (OutcomeBase & {
      readonly status: 'done';
      readonly remoteId: RemoteId;
      readonly notes: readonly string[];
    })
  | SentOutcome
  | (OutcomeBase & { readonly status: 'failed'; readonly fault: Fault })
  /** The server may or may not have done it. */
  | (OutcomeBase & { readonly status: 'unknown'; readonly fault: Fault })
  | (OutcomeBase & { readonly status: 'skipped'; readonly blockedBy: Blocker });

/** What kept an action from being begun: one that did not succeed, a person, or the end of the time for the run. */
export type Blocker = ActionId | 'interrupt' | 'deadline';

/** How a whole run ended. */
export interface RunResult {
  readonly outcomes: readonly Outcome[];
  readonly requests: number;
  /** Writes that changed the account, or may have: of this run, and actions that the run which it continues has done. */
  readonly written: number;
}
