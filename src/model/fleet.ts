// A fleet: many accounts whose desired state is in one repository.
import type { Diagnostic, Span } from './diagnostic.ts';

/** One account behind a token that reaches several accounts. */
export interface Tenant {
  readonly id: string;
  /** The name of the account in the fleet, unless the fleet file gives it another name. */
  readonly name: string;
  /** The values of the server, by field. */
  readonly fields: Readonly<Record<string, string>>;
}

/** An account of a fleet in a run. */
export interface FleetAccount {
  /** Unique in the fleet, and usable as one component of a path. */
  readonly name: string;
  /** The name of the entry in the credentials that contains the address and the token. */
  readonly credentials: string;
  /** The layers of the account's entry, in order, as paths from the folder of the fleet file. The last layer names its base. */
  readonly layers: readonly string[];
  /** The layers that exist and that accounts of the same entry share. */
  readonly sharedLayers: readonly string[];
  /** The layers that do not exist, and therefore declare nothing. */
  readonly absentLayers: readonly string[];
  /** Whether the account has no layer that belongs to it alone. */
  readonly hasNoFiles: boolean;
  readonly labels: Readonly<Record<string, string>>;
  /** The values of `${var:NAME}` for its files. */
  readonly vars: Readonly<Record<string, string>>;
  /** The id of the account behind a token that reaches several accounts. */
  readonly tenant?: string;
  /** The id of the account for which its files must be written; see `Snapshot.account`. */
  readonly account?: string;
  /** The place of the account in the fleet file. */
  readonly at?: Span;
  /** The reason why every run for the account fails. Such an account is listed under its id. */
  readonly fault?: Diagnostic;
}

/** The layers of an account that exist. */
export const existingLayers = ({
  layers,
  absentLayers,
}: Pick<FleetAccount, 'layers' | 'absentLayers'>): readonly string[] =>
  layers.filter(layer => !absentLayers.includes(layer));

/** A part of the accounts of a fleet. They are applied together, before the next part begins. */
export interface FleetWave {
  /** Labels of accounts, each with the pattern that its value must match. */
  readonly match?: Readonly<Record<string, string>>;
  /** The maximum number of accounts. */
  readonly count?: number;
  /** The maximum percentage of all accounts, including those of earlier waves. */
  readonly share?: number;
  /** The time in milliseconds for which the accounts are watched after they were applied. */
  readonly bake: number;
}

/** The conditions that stop a rollout. */
export interface FleetStop {
  /** The rollout stops when the apply or the health check of this many accounts has failed. */
  readonly failures: number;
  /** Any hazard that nobody accepted. */
  readonly hazards: boolean;
  /** Any access test that fails. */
  readonly accessTests: boolean;
  /** The rollout stops if the plans of more than this percentage of accounts changed after their approval. */
  readonly stale: number;
}

/** The number of requests that a fleet may send in a minute, for each token. */
export interface FleetRate {
  readonly requests: number;
}
