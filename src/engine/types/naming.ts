// The names that the files would give to live objects.
import type { Key, KindName, RemoteId } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';

/** The name of each live object, filled in kind by kind while objects are paired (docs/design.md#name-space). */
export interface Naming {
  /** Returns the key of a live object. `key` is the key in live references to objects of `kind`. */
  readonly keyOf: (kind: KindName, key: string) => string;
  /** The key of a live object by its id; undefined if the object has no name yet. */
  readonly keyOfId: (kind: KindName, id: RemoteId) => Key | undefined;
  /** Returns the name of the object in the account, given its id. */
  readonly formerKeyOfId: (kind: KindName, id: RemoteId) => Key | undefined;
  readonly name: (live: Live, key: Key) => void;
}
