// The result of each action of a plan.
import type { DiagnosticCode, FaultCode } from './codes.ts';
import type { ActionId, Address, RemoteId } from './names.ts';
import type { UnstoredValue } from './recordedBase.ts';

/** The reason why an action failed, in a form that can be printed and stored. */
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

/** An accepted write whose result has not been read back yet. */
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
      /** The declared values that the server accepted but never stores. Present only if nothing else failed. */
      readonly unstored?: readonly UnstoredValue[];
    })
  /** The server may or may not have carried out the action. */
  | (OutcomeBase & { readonly status: 'unknown'; readonly fault: Fault })
  | (OutcomeBase & { readonly status: 'skipped'; readonly blockedBy: Blocker });

/** Whether the account has all values of an action that its server can store. */
export const isSettled = (outcome: Outcome): boolean =>
  outcome.status === 'done' || (outcome.status === 'failed' && outcome.unstored !== undefined);

/** The reason why an action did not start: a failed action, a person, or the end of the time for the run. */
export type Blocker = ActionId | 'interrupt' | 'deadline';

/** The result for one object from which an earlier, unfinished run removed members. */
export interface EarlierOutcome {
  /** The id of the earlier run. */
  readonly run: string;
  /** The outcome for the action of the earlier run that wrote the object. */
  readonly outcome: Outcome;
}

/** The result of a whole run. */
export interface RunResult {
  readonly outcomes: readonly Outcome[];
  readonly requests: number;
  /**
   * The number of writes that changed the account or may have changed it. Writes of the run that this run continues count if
   * their actions were complete.
   */
  readonly written: number;
  /** Absent if no earlier run removed members. */
  readonly earlier?: readonly EarlierOutcome[];
}

/** Whether all members that earlier runs removed are back. */
export const isRestoredFully = ({ earlier = [] }: Pick<RunResult, 'earlier'>): boolean =>
  earlier.every(({ outcome }) => outcome.status === 'done');
