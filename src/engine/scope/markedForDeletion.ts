// Declared objects that are declared to go: `lifecycle.delete`, on the object or on the one it nests in (design §2).
import type { KindTable } from '../../kinds/kind.ts';
import { addressOf } from '../../model/key.ts';
import type { Desired } from '../../model/object.ts';
import type { IsMarkedForDeletion } from '../types/pairing.ts';

export function markedForDeletion(
  desired: readonly Desired[],
  kinds: KindTable,
): IsMarkedForDeletion {
  // Where the API deletes nothing of a kind, the entry has no effect, and a warning has said so.
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
