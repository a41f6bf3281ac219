// The decisions of a person about a run, such as what it may delete and which hazards are accepted.

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

/** Whether the account may hold another value than the secret at this place has now. */
export type IsOtherSecret = (address: Address, path: Path, secret: Secret) => boolean;

/** Which side wins where the files and the account both changed since the base: for all objects, or for one. */
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
  /** Objects of kinds that machines make too, and that the audit log shows a person or token to have created: only these are pruned. */
  readonly madeByPeople?: ReadonlySet<RemoteId>;
  readonly allow: readonly Allowance[];
  readonly resolve?: readonly Resolution[];
  /** The plan undoes a run: the base is the state after the run, and a conflict is a later change. */
  readonly isUndo?: boolean;
  /** Objects, as `kind/key`, that flags name, each with its flag: absent objects are reported. */
  readonly named?: readonly { readonly flag: string; readonly object: string }[];
  /** The current time, in milliseconds, for checks of expiry. Without it, no object counts as expired. */
  readonly now?: number;
  /** Objects, as `kind/key`, whose secrets are sent again although nothing about them changed. */
  readonly rotate?: readonly string[];
  /** Detects a changed value of a secret; without it, only a changed source is a change. */
  readonly isOtherSecret?: IsOtherSecret;
  /** Marks declared values of which only the host is shown; without it, a plan has no marks. */
  readonly mark?: Mark;
  /** Whether there is a place for one-time secrets. */
  readonly hasSink?: boolean;
  /** Objects, as `kind/key`, that the files give up: they stay in every mode of pruning. */
  readonly forget?: readonly string[];
  /** Whether the files will be recorded as the base of the next run, which must not lose a removal. */
  readonly recordBase?: boolean;
  /** The account that the files are for; see `Snapshot.account`. Without it, any account. */
  readonly account?: string | undefined;
  /** Objects, as `kind/key` or `kind/id:<id>`, that are never deleted or replaced, declared or not. */
  readonly protect?: readonly string[];
  /** The same objects of other folders of the account, with the folder. */
  readonly protectedElsewhere?: ReadonlyMap<string, string>;
  /**
   * The guards of the files, and those of the last apply, which count as well; without a base only the other settings count.
   */
  readonly guards?: BothGuards | undefined;
  /** Whether it suggests renames that the files do not tell of. */
  readonly suggestRenames?: boolean;
  /** Kinds that are only listed, although the files declare none of their objects. */
  readonly watch?: ReadonlySet<KindName>;
  /** By the plural of the kind, `default` for the others. */
  readonly thresholds: Thresholds;
}
