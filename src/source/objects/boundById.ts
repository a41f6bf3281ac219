// Objects that are bound to a live object by id need no unique name. Without a unique name, their key is that id, and references
// use it (`id:<value>`).
import { addressOf, idInKey, idKey } from '../../model/key.ts';
import { type Key, remoteId } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { Declared } from './declared.ts';

/** The key of a bound object whose name is missing or not unique; undefined for any other object. */
export function boundKey(id: unknown): Key | undefined {
  return typeof id === 'string' && id !== '' ? idKey(remoteId(id)) : undefined;
}

/**
 * The declared objects. A bound object has its id as key if it shares its name with other bound objects, or if its parent has an
 * id as key.
 */
export function withBoundKeys(declared: readonly Declared[]): readonly Declared[] {
  const namesakes = Map.groupBy(declared, ({ desired }) => addressOf(desired.kind, desired.key));
  const isShared = (desired: Desired): boolean => {
    const all = namesakes.get(addressOf(desired.kind, desired.key)) ?? [];
    return all.length > 1 && all.every(other => boundKey(other.desired.lifecycle.id) !== undefined);
  };
  const moved = new Map<Declared, Declared>();
  return declared.map(object => {
    const { desired } = object;
    const parent = object.parent && (moved.get(object.parent) ?? object.parent);
    const outer = parent?.desired.key;
    const isInside = outer !== undefined && idInKey(outer) !== null;
    const own = isShared(desired) || isInside ? boundKey(desired.lifecycle.id) : undefined;
    if (own === undefined && outer === desired.parent) return object;
    const key = own ?? desired.key;
    const here = {
      ...object,
      ...(parent && { parent }),
      desired: { ...desired, key, ...(outer !== undefined && { parent: outer }) },
    };
    moved.set(object, here);
    return here;
  });
}
