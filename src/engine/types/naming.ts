// How the files would name each live object.
import type { Key, KindName, RemoteId } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';

/** The name of each live object, filled in kind by kind while objects are paired (docs/design.md#name-space). */
export interface Naming {
  /** The key that stands for a live object of `kind` which live pointers call `key`. */
  readonly keyOf: (kind: KindName, key: string) => string;
  /** The key of a live object by its id. */
  readonly keyOfId: (kind: KindName, id: RemoteId) => Key | undefined;
  /** What the account itself calls the object, by its id. */
  readonly formerKeyOfId: (kind: KindName, id: RemoteId) => Key | undefined;
  readonly name: (live: Live, key: Key) => void;
}
