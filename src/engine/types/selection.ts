// The objects that a run is limited to, as a person writes it.
import type { Address, KindName } from '../../model/names.ts';

/** The limits of a run; an empty selection means everything. */
export interface Selection {
  /** Kinds, by name or by place in the YAML. */
  readonly kinds?: readonly string[];
  /** Names, or `kind/name`: only these objects and their children. */
  readonly only?: readonly string[];
  /** These objects and their children are left out. */
  readonly except?: readonly string[];
  /** Whether declared objects that the selected ones refer to are selected too. */
  readonly withDependencies?: boolean;
  /** Objects that are selected although the other limits do not name them; `except` still leaves them out. */
  readonly also?: ReadonlySet<Address>;
  /** Declared objects that cannot be written, and are left out without their children; no person writes them. */
  readonly held?: ReadonlySet<Address>;
}

/** An object by its name. */
export interface Called {
  readonly kind: KindName;
  readonly key: string;
}

export type IsSelected = (object: Called) => boolean;
