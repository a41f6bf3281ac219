// Which objects a run is limited to, as a person writes it.
import type { KindName } from '../../model/names.ts';

/** What a person limits a run to; everything where nothing is given. */
export interface Selection {
  /** Kinds, by their names or their places in the YAML. */
  readonly kinds?: readonly string[];
  /** Names, or `kind/name`: these objects and what nests in them, and nothing else. */
  readonly only?: readonly string[];
  /** These and what nests in them are left out. */
  readonly except?: readonly string[];
}

/** An object by its name. */
export interface Called {
  readonly kind: KindName;
  readonly key: string;
}

export type IsSelected = (object: Called) => boolean;
