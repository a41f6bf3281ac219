// What `lifecycle.was` says: what an object was called before.
import { keyOf, segmentsOf } from '../model/key.ts';
import type { Key } from '../model/names.ts';
import { childKey } from './identity.ts';
import type { Kind } from './kind.ts';

/** The parent and the name that `was` names, where the kind moves between parents and `was` is written `parent/name`. */
export function formerPlace(
  { moves, depth }: Kind,
  was: string,
): { readonly parent: string; readonly name: string } | null {
  const [parent, name] = (moves && segmentsOf(was, depth)) ?? [];
  return parent === undefined || name === undefined ? null : { parent, name };
}

/** The keys that an object with this `was` may have had: its former name in its own parent, or in the parent named. */
export function formerKeys(kind: Kind, parent: Key | undefined, was: string): readonly Key[] {
  const place = formerPlace(kind, was);
  const elsewhere = place ? [keyOf([place.parent, place.name])] : [];
  return [childKey(parent, was), ...elsewhere];
}
