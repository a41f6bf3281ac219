// What a person decides about a run: what is ours to delete, and which hazards are accepted.

import type { Dialect } from '../../kinds/traits.ts';
import type { Allowance } from '../../model/allowance.ts';
import type { Address, KindName } from '../../model/names.ts';
import type { Mark } from '../../model/secrets/hostedSecret.ts';
import type { Secret } from '../../model/secrets/secret.ts';
import type { Path } from '../../model/value.ts';
import type { Selection } from './selection.ts';

export const PRUNE_MODES = ['none', 'removed', 'unmanaged'] as const;
/** Which live objects are deleted because no file declares them (docs/design.md#pruning). */
export type PruneMode = (typeof PRUNE_MODES)[number];

/** How many objects of one kind a run may delete before it needs a person's word. */
export interface Threshold {
  /** At most so many. */
  readonly deletes?: number;
  /** At most this share of the live ones, from 0 to 1, once there are ten of them. */
  readonly share?: number;
}

/** Whether the account is not known to hold the value that a secret at this place has now. */
export type IsOtherSecret = (address: Address, path: Path, secret: Secret) => boolean;

/** Whose change stands where the files and the account both moved since the base: everywhere, or of one object. */
export interface Resolution {
  readonly side: 'desired' | 'live';
  /** `kind/key`; everything where it is not given. */
  readonly object?: string;
}

export interface PlanSettings {
  /** What the run is limited to. */
  readonly select?: Selection;
  readonly dialect: Dialect;
  readonly prune: PruneMode;
  readonly allow: readonly Allowance[];
  readonly resolve?: readonly Resolution[];
  /** Objects, as `kind/key`, that flags name, each with its flag: those that are not there are told. */
  readonly named?: readonly { readonly flag: string; readonly object: string }[];
  /** The time it is, in milliseconds: what lapses is looked at by it. Nothing is found to have lapsed without it. */
  readonly now?: number;
  /** Objects, as `kind/key`, whose secrets are sent again although nothing about them changed. */
  readonly rotate?: readonly string[];
  /** What makes a changed value a change by itself; without it nothing but its source does. */
  readonly isOtherSecret?: IsOtherSecret;
  /** Marks declared values of which only the host is shown; without it a plan has none of them. */
  readonly mark?: Mark;
  /** Whether there is a place for secrets that are shown only once. */
  readonly hasSink?: boolean;
  /** Objects, as `kind/key`, that are ours no more: they stay, whatever is pruned. */
  readonly forget?: readonly string[];
  /** Whether the files are to be the base of the next run, which must not lose a removal. */
  readonly recordBase?: boolean;
  /** The account that the files are for; see `Snapshot.account`. Any where it is not given. */
  readonly account?: string | undefined;
  /** Objects, as `kind/key` or `kind/id:<id>`, that are never deleted or replaced, declared or not. */
  readonly protect?: readonly string[];
  /** Kinds whose objects are listed although the files declare none: they are read for nothing else. */
  readonly watch?: ReadonlySet<KindName>;
  /** By the kind's plural, `default` for the others. */
  readonly thresholds: Readonly<Record<string, Threshold>>;
}
