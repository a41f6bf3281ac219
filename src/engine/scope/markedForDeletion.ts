// Declared objects with `lifecycle.delete`, on the object itself or on its parent (docs/design.md#lifecycle).
import type { KindTable } from '../../kinds/kind.ts';
import { addressOf } from '../../model/key.ts';
import type { Desired } from '../../model/object.ts';
import type { IsMarkedForDeletion } from '../types/pairing.ts';

/** Returns a function that checks whether a declared object, or its parent, is marked for deletion. */
export function markedForDeletion(
  desired: readonly Desired[],
  kinds: KindTable,
): IsMarkedForDeletion {
  // Whether the entry deletes the object. If the API cannot delete objects of the kind, the entry
  // has no effect, and a warning was already reported.
  const isToGo = ({ kind, lifecycle }: Desired) =>
    lifecycle.delete === true && kinds.get(kind)?.verbs.has('delete') === true;
  const addresses = new Set(desired.filter(isToGo).map(({ kind, key }) => addressOf(kind, key)));
  return object => {
    const home = kinds.get(object.kind)?.parent;
    const { parent } = object;
    const isNested = home !== undefined && parent !== undefined;
    return isToGo(object) || (isNested && addresses.has(addressOf(home, parent)));
  };
}
