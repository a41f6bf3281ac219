// Declared objects that are declared to go: `lifecycle.delete`, on the object or on the one it nests in (design §2).
import type { KindTable } from '../kinds/kind.ts';
import { addressOf } from '../model/key.ts';
import type { Desired } from '../model/object.ts';

/** Tells of a declared object whether it is to go. */
export type IsDoomed = (object: Desired) => boolean;

export function doomedAmong(desired: readonly Desired[], kinds: KindTable): IsDoomed {
  const own = desired.filter(({ lifecycle }) => lifecycle.delete === true);
  const addresses = new Set(own.map(({ kind, key }) => addressOf(kind, key)));
  return ({ kind, parent, lifecycle }) => {
    const home = kinds.get(kind)?.parent;
    const isNested = home !== undefined && parent !== undefined;
    return lifecycle.delete === true || (isNested && addresses.has(addressOf(home, parent)));
  };
}
