// The objects to which a run is limited, as a person writes the limits.
import type { Address, KindName } from '../../model/names.ts';

/** The limits of a run; an empty selection means everything. */
export interface Selection {
  /** Kinds, by name or by their place in the YAML. */
  readonly kinds?: readonly string[];
  /** Names, or `kind/name`: only these objects and their children are selected. */
  readonly only?: readonly string[];
  /** Names, or `kind/name`: these objects and their children are left out. */
  readonly except?: readonly string[];
  /** Whether declared objects to which the selected objects refer are selected too. */
  readonly withDependencies?: boolean;
  /** Objects that are selected in addition, even if the other limits do not name them. `except` still leaves them out. */
  readonly also?: ReadonlySet<Address>;
  /** Declared objects that cannot be written. They are left out with their children. Users cannot set this. */
  readonly held?: ReadonlySet<Address>;
}

/** An object by its name. */
export interface NamedObject {
  readonly kind: KindName;
  readonly key: string;
}

export type IsSelected = (object: NamedObject) => boolean;
