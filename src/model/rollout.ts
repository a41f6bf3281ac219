// A rollout: the approved plans of a fleet, carried out wave after wave. The ledger is its document, which survives the runs that
// write it.
import type { FleetWave } from './fleet.ts';
import type { JsonObject } from './value.ts';

/**
 * `applied`: carried out, and not checked since. `stale`: not carried out, because the plan no longer does what was approved.
 * `gone`: the account is no longer in the fleet.
 */
type RolloutState =
  | 'waiting'
  | 'running'
  | 'applied'
  | 'healthy'
  | 'unhealthy'
  | 'failed'
  | 'stale'
  | 'gone';

/** Why an account failed, for the reasons that can stop a rollout by a rule of the fleet. */
export type RolloutCause = 'hazards' | 'access-tests' | 'stale';

/** The result of the last step of an account. */
export interface RolloutOutcome {
  /** The exit code of a run for this account alone. */
  readonly code: number;
  /** In RFC 3339. */
  readonly at: string;
  /** The id of the apply. */
  readonly run?: string;
  /** One sentence, without the value of any secret. */
  readonly why?: string;
  readonly cause?: RolloutCause;
}

/** The numbers of changes of a plan that grant access and that remove access. */
export interface AccessCounts {
  readonly gained: number;
  readonly lost: number;
}

/** An account in a ledger. */
export interface RolloutAccount {
  /** The name of the account in the fleet. */
  readonly name: string;
  /** The id of the account, if known. The server reports the id, so it is unique only at this server. */
  readonly account?: string;
  /** The address of its server, from the credentials; absent in ledgers of earlier versions. */
  readonly server?: string;
  /** The digest of the plan that is carried out. */
  readonly plan: string;
  /** The approved content digest. If the plan is computed again, it must have the same content. */
  readonly content_digest: string;
  /** The numbers of changes of its plan that grant and remove access; absent if unknown. */
  readonly access?: AccessCounts;
  /** The number of the wave, from 1. */
  readonly wave: number;
  readonly state: RolloutState;
  /** The number of changes of this entry. Of two copies of a ledger, the copy with more changes is newer. */
  readonly turn: number;
  /** The run of the fleet that currently works on the account. */
  readonly runner?: string;
  /** The start of the first apply of the account, in RFC 3339. */
  readonly begun_at?: string;
  /** The end of the last apply of the account, in RFC 3339. */
  readonly applied_at?: string;
  readonly outcome?: RolloutOutcome;
  /** Somebody let the rollout continue although this account is unhealthy. */
  readonly accepted?: { readonly at: string; readonly by?: string };
}

/** The reason why a rollout stopped, as in its ledger; see `FleetStop`. */
interface RolloutStop {
  readonly failures: number;
  readonly hazards: boolean;
  readonly access_tests: boolean;
  readonly stale: number;
}

/** The ledger of a rollout. */
export interface Ledger {
  /** The id of the rollout. */
  readonly rollout: string;
  /** The path of the fleet file from the root of its repository. */
  readonly fleet: string;
  /** The digest that approves all plans. */
  readonly plans: string;
  /** The flags with which the plans were computed, so that a plan can be computed again on any machine. */
  readonly flags: JsonObject;
  /** In RFC 3339. */
  readonly started_at: string;
  readonly waves: readonly FleetWave[];
  readonly stop: RolloutStop;
  /** The accounts by wave, and within a wave in the order in which they start. */
  readonly accounts: readonly RolloutAccount[];
  /** The accounts that could not be planned and are not part of the rollout; absent if there are none. */
  readonly unplanned?: readonly string[];
  /** The last stop; without `why`, the stop was lifted. */
  readonly halt: { readonly turn: number; readonly why?: string; readonly at?: string };
  readonly finished?: {
    readonly is: 'complete' | 'abandoned';
    readonly at: string;
    readonly why?: string;
  };
}

/** When a rollout applied an account; times are in RFC 3339. */
export interface LastApplied {
  /** The id of the rollout. */
  readonly rollout: string;
  readonly startedAt: string;
  readonly appliedAt: string;
}

/** A part of the accounts, selected by the hash of their names: the first of four parts is `{ index: 1, of: 4 }`. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}
