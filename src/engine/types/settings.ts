// The decisions of a person about a run, such as what the run may delete and which hazards are
// accepted.

import type { BothGuards } from '../../base/guards/loosenedSettings.ts';
import type { Dialect } from '../../kinds/traits.ts';
import type { Allowance } from '../../model/allowance.ts';
import type { Thresholds } from '../../model/guards.ts';
import type { Address, KindName, RemoteId } from '../../model/names.ts';
import type { Mark } from '../../model/secrets/hostedSecret.ts';
import type { Secret } from '../../model/secrets/secret.ts';
import type { Path } from '../../model/value.ts';
import type { Selection } from './selection.ts';

export const PRUNE_MODES = ['none', 'removed', 'unmanaged'] as const;
/** Which undeclared live objects are deleted (docs/design.md#pruning). */
export type PruneMode = (typeof PRUNE_MODES)[number];

/** Returns whether the account may have another value of the secret at this path than the current one. */
export type IsOtherSecret = (address: Address, path: Path, secret: Secret) => boolean;

/** The side that wins if both the files and the account changed something since the base: for all objects, or for one object. */
export interface Resolution {
  readonly side: 'desired' | 'live';
  /** `kind/key`; for all objects if absent. */
  readonly object?: string;
}

export interface PlanSettings {
  /** The limits of the run. */
  readonly select?: Selection;
  readonly dialect: Dialect;
  readonly prune: PruneMode;
  /**
   * Objects that a person or token created, according to the audit log. If machines also create
   * objects of a kind, only these objects are pruned.
   */
  readonly madeByPeople?: ReadonlySet<RemoteId>;
  readonly allow: readonly Allowance[];
  readonly resolve?: readonly Resolution[];
  /**
   * Whether the plan undoes a run. If it does, the base is the state after the run, and every later
   * change is a conflict.
   */
  readonly isUndo?: boolean;
  /** Objects, as `kind/key`, that flags name, each with its flag. Objects that do not exist are reported. */
  readonly named?: readonly { readonly flag: string; readonly object: string }[];
  /** The current time, in milliseconds, for checks of expiry. Without it, no object counts as expired. */
  readonly now?: number;
  /** Objects, as `kind/key`, whose secrets are sent again although the objects did not change. */
  readonly rotate?: readonly string[];
  /** Detects a changed value of a secret. If absent, only a changed source counts. */
  readonly isOtherSecret?: IsOtherSecret;
  /**
   * Computes the mark of a declared value whose host alone is shown. If absent, a plan has no
   * marks.
   */
  readonly mark?: Mark;
  /** Whether there is a place for one-time secrets. */
  readonly hasSink?: boolean;
  /** Objects, as `kind/key`, that the files no longer manage. They stay in every mode of pruning. */
  readonly forget?: readonly string[];
  /** Whether the files will be recorded as the next base. If they will, no removal may be lost. */
  readonly recordBase?: boolean;
  /**
   * The account for which the files are written; see `Snapshot.account`. If absent, the files fit
   * any account.
   */
  readonly account?: string | undefined;
  /** Objects, as `kind/key` or `kind/id:<id>`, that are never deleted or replaced, declared or not. */
  readonly protect?: readonly string[];
  /** The protected objects of other folders of the account, each with its folder. */
  readonly protectedElsewhere?: ReadonlyMap<string, string>;
  /**
   * The guards of the files and of the last apply. Both count. Without a base, only the settings in
   * the files count.
   */
  readonly guards?: BothGuards | undefined;
  /** Whether the plan suggests renames that the files do not declare. */
  readonly suggestRenames?: boolean;
  /** Kinds that are only listed, although the files declare none of their objects. */
  readonly watch?: ReadonlySet<KindName>;
  /** The thresholds by the plural of the kind, with `default` for all other kinds. */
  readonly thresholds: Thresholds;
}
