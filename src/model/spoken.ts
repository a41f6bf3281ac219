// The names by which people speak of an object in flags and in the project file.
import type { Key, KindName, RemoteId } from './names.ts';

/** An object as far as it is spoken of. */
export interface Spoken {
  readonly kind: KindName;
  readonly key: Key;
  readonly id?: RemoteId | undefined;
  /** The key of the declared object that it is a part of. */
  readonly partOf?: Key | undefined;
}

/** Its names, `kind/name` and `kind/id:<id>`; a part of a declared object goes by the name of that object too. */
export function namesOf({ kind, key, id, partOf }: Spoken): readonly string[] {
  return [
    `${kind}/${key}`,
    ...(partOf === undefined ? [] : [`${kind}/${partOf}`]),
    ...(id === undefined ? [] : [`${kind}/id:${id}`]),
  ];
}
