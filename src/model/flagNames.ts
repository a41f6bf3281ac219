// The names by which people refer to an object in flags and in the project file.
import type { Key, KindName, RemoteId } from './names.ts';

/** The parts of an object that its names consist of. */
export interface NamedByFlags {
  readonly kind: KindName;
  readonly key: Key;
  readonly id?: RemoteId | undefined;
  /** The key of the declared object of which it is a part. */
  readonly partOf?: Key | undefined;
}

/** The names of an object, `kind/name` and `kind/id:<id>`; a part of a declared object also has the name of that object. */
export function flagNamesOf({ kind, key, id, partOf }: NamedByFlags): readonly string[] {
  return [
    `${kind}/${key}`,
    ...(partOf === undefined ? [] : [`${kind}/${partOf}`]),
    ...(id === undefined ? [] : [`${kind}/id:${id}`]),
  ];
}
