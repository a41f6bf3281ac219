// Objects that are bound to a live one by its id need no name to be told apart: without one of their own they go by
// that id, as pointers to them do (`id:<value>`).
import { addressOf, idInKey, idKey } from '../../model/key.ts';
import { type Key, remoteId } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { Declared } from './declared.ts';

/** The key of an object that is bound, where its name is missing or cannot tell it apart; undefined for any other. */
export function boundKey(id: unknown): Key | undefined {
  return typeof id === 'string' && id !== '' ? idKey(remoteId(id)) : undefined;
}

/**
 * The declared objects, under their ids where they are bound and share their name with others that are bound too, or
 * nest in an object that goes by its id.
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
