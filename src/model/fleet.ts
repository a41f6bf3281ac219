// A fleet: many accounts whose desired state is in one repository.
import type { Diagnostic, Span } from './diagnostic.ts';

/** An account behind a token that reaches several. */
export interface Tenant {
  readonly id: string;
  /** Its name in the fleet, if it has no other. */
  readonly name: string;
  /** The values of the server, by field. */
  readonly fields: Readonly<Record<string, string>>;
}

/** An account of a fleet, as it takes part in a run. */
export interface FleetAccount {
  /** Unique in the fleet, and one component of a path. */
  readonly name: string;
  /** The name of the entry with its address and token in the credentials. */
  readonly credentials: string;
  /** The layers of its entry, as paths from the folder of the fleet file, in their order. The last one names its base. */
  readonly layers: readonly string[];
  /** Those of these layers that exist and that accounts of the same entry share. */
  readonly sharedLayers: readonly string[];
  /** Those of these layers that do not exist, and so declare nothing. */
  readonly absentLayers: readonly string[];
  /** Whether no layer belongs to this account alone. */
  readonly hasNoFiles: boolean;
  readonly labels: Readonly<Record<string, string>>;
  /** The values of `${var:NAME}` for its files. */
  readonly vars: Readonly<Record<string, string>>;
  /** Its id behind a token that reaches several accounts. */
  readonly tenant?: string;
  /** The id that its files must be for; see `Snapshot.account`. */
  readonly account?: string;
  /** Where the fleet file declares it. */
  readonly at?: Span;
  /** Why nothing can be done for it: it is listed under its id, and every run for it fails. */
  readonly fault?: Diagnostic;
}

/** The layers of an account that exist. */
export const existingLayers = ({
  layers,
  absentLayers,
}: Pick<FleetAccount, 'layers' | 'absentLayers'>): readonly string[] =>
  layers.filter(layer => !absentLayers.includes(layer));

/** A part of the accounts of a fleet that are applied together, before the next part begins. */
export interface FleetWave {
  /** Labels of accounts → the pattern of their value. */
  readonly match?: Readonly<Record<string, string>>;
  /** How many accounts at most. */
  readonly count?: number;
  /** Up to this percentage of all accounts, those of earlier waves included. */
  readonly share?: number;
  /** How long the accounts are watched after they were applied, in milliseconds. */
  readonly bake: number;
}

/** What stops a rollout. */
export interface FleetStop {
  /** So many accounts whose apply or whose health failed. */
  readonly failures: number;
  /** Any hazard that nobody accepted. */
  readonly hazards: boolean;
  /** Any access test that fails. */
  readonly accessTests: boolean;
  /** More than this percentage of the accounts whose plan changed after it was approved. */
  readonly stale: number;
}

/** How many requests a fleet may send in a minute, with each token. */
export interface FleetRate {
  readonly requests: number;
}
