// A rollout: the approved plans of a fleet as they are carried out, wave after wave. The ledger is its document, which survives the
// runs that write it.
import type { FleetWave } from './fleet.ts';
import type { JsonObject } from './value.ts';

/**
 * `applied`: carried out, and not checked since. `stale`: not carried out, because the plan no longer does what was approved.
 * `gone`: the account vanished from the fleet.
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

/** Why an account failed, where a rule of its own stops the rollout. */
export type RolloutCause = 'hazards' | 'access-tests' | 'stale';

/** How the last step of an account ended. */
export interface RolloutOutcome {
  /** The exit code that a run for this account alone ends with. */
  readonly code: number;
  /** In RFC 3339. */
  readonly at: string;
  /** The id of the apply. */
  readonly run?: string;
  /** One sentence, without the value of any secret. */
  readonly why?: string;
  readonly cause?: RolloutCause;
}

/** How many changes of a plan give and take access. */
export interface AccessCounts {
  readonly gained: number;
  readonly lost: number;
}

/** An account in a ledger. */
export interface RolloutAccount {
  /** As the fleet names it. */
  readonly name: string;
  /** The id of the account, if known. */
  readonly account?: string;
  /** The digest of the plan that is carried out. */
  readonly plan: string;
  /** The content digest that was approved: a plan made again may only do the same. */
  readonly content_digest: string;
  /** How many changes of its plan give and take access, if that is known. */
  readonly access?: AccessCounts;
  /** Counted from 1. */
  readonly wave: number;
  readonly state: RolloutState;
  /** How often the entry changed: of two copies of a ledger, the one with more changes is newer. */
  readonly turn: number;
  /** The run of the fleet that works on it, while it is running. */
  readonly runner?: string;
  /** When its first apply began, in RFC 3339. */
  readonly begun_at?: string;
  /** When its last apply ended, in RFC 3339. */
  readonly applied_at?: string;
  readonly outcome?: RolloutOutcome;
  /** Somebody let the rollout continue although this account is unhealthy. */
  readonly accepted?: { readonly at: string; readonly by?: string };
}

/** The reason why a rollout stopped, as its ledger has it; see `FleetStop`. */
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
  /** The flags that the plans were made with, so that a plan can be made again on any machine. */
  readonly flags: JsonObject;
  /** In RFC 3339. */
  readonly started_at: string;
  readonly waves: readonly FleetWave[];
  readonly stop: RolloutStop;
  /** By wave, and within a wave in the order in which they begin. */
  readonly accounts: readonly RolloutAccount[];
  /** The accounts that could not be planned, and take no part; absent if there are none. */
  readonly unplanned?: readonly string[];
  /** The last stop, or, without `why`, that it was lifted. */
  readonly halt: { readonly turn: number; readonly why?: string; readonly at?: string };
  readonly finished?: {
    readonly is: 'complete' | 'abandoned';
    readonly at: string;
    readonly why?: string;
  };
}

/** A part of the accounts, by the hash of their names: the first of four is `{ index: 1, of: 4 }`. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}
