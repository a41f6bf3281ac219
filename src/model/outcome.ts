// The result of each action of a plan.
import type { DiagnosticCode, FaultCode } from './codes.ts';
import type { ActionId, Address, RemoteId } from './names.ts';
import type { UnstoredValue } from './recordedBase.ts';

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

/** The server accepted the write, and the result has not been read back yet. */
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
  | (OutcomeBase & {
      readonly status: 'failed';
      readonly fault: Fault;
      /** The declared values that the server accepted and did not store, if nothing else failed and it never will store them. */
      readonly unstored?: readonly UnstoredValue[];
    })
  /** The server may or may not have done it. */
  | (OutcomeBase & { readonly status: 'unknown'; readonly fault: Fault })
  | (OutcomeBase & { readonly status: 'skipped'; readonly blockedBy: Blocker });

/** Whether the account has everything of an action that its server stores. */
export const isSettled = (outcome: Outcome): boolean =>
  outcome.status === 'done' || (outcome.status === 'failed' && outcome.unstored !== undefined);

/** Why an action did not start: an action that failed, a person, or the end of the time for the run. */
export type Blocker = ActionId | 'interrupt' | 'deadline';

/** What became of the members that an earlier run, which nobody finished, took out of an object. */
export interface EarlierOutcome {
  /** The id of the earlier run. */
  readonly run: string;
  /** For the action of the earlier run that wrote the object. */
  readonly outcome: Outcome;
}

/** The result of a whole run. */
export interface RunResult {
  readonly outcomes: readonly Outcome[];
  readonly requests: number;
  /** Writes that changed the account, or may have: of this run, and completed actions of the run that it continues. */
  readonly written: number;
  /** Absent if no earlier run has taken anybody out. */
  readonly earlier?: readonly EarlierOutcome[];
}

/** Whether nobody is out any more whom earlier runs took out. */
export const isRestoredFully = ({ earlier = [] }: Pick<RunResult, 'earlier'>): boolean =>
  earlier.every(({ outcome }) => outcome.status === 'done');
