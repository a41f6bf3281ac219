// Locks inside values. A lock that is closed needs a secret to be opened.
import { type Fields, isList, isObject, type Json, type Path } from '../../model/value.ts';
import type { ObjectShape, Shape } from '../kind.ts';
import { itemKey, keyFields } from './items.ts';

// A shape never changes, so its result can be cached.
const locks = new WeakMap<ObjectShape, boolean>();

/** Whether values of this shape may contain locks. */
export function hasLocks(shape: Shape): boolean {
  if (shape.type === 'list') return hasLocks(shape.items);
  if (shape.type !== 'object') return false;
  const known = locks.get(shape);
  if (known !== undefined) return known;
  const found = !!shape.lock || [...shape.fields.values()].some(field => hasLocks(field.shape));
  locks.set(shape, found);
  return found;
}

/** A lock that would be closed without a secret. */
export interface LockWithoutSecret {
  readonly path: Path;
  /** The field of its secret. */
  readonly opens: string;
}

/** The locks that are closed in a value, have no secret there, and are not yet closed in the account. */
export function locksWithoutSecret(
  shape: Shape,
  value: Json | undefined,
  held?: Json | undefined,
  path: Path = [],
): readonly LockWithoutSecret[] {
  if (shape.type === 'list' && isList(value)) {
    const by = keyFields(shape) ?? [];
    const known = isList(held) ? held : [];
    return value.flatMap(item => {
      const key = itemKey(item, by);
      const own = known.find(one => itemKey(one, by) === key);
      return locksWithoutSecret(shape.items, item, own, [...path, key]);
    });
  }
  if (shape.type !== 'object' || !isObject(value)) return [];
  const former = isObject(held) ? held : {};
  const inside = [...shape.fields.values()].flatMap(({ name, shape: inner }) =>
    locksWithoutSecret(inner, value[name], former[name], [...path, name]),
  );
  return [...lackIn(shape, value, held, path), ...inside];
}

function lackIn(
  { lock }: ObjectShape,
  value: Fields,
  held: Json | undefined,
  path: Path,
): readonly LockWithoutSecret[] {
  if (!lock || value[lock.while] !== true || value[lock.opens] !== undefined) return [];
  return isObject(held) && held[lock.while] === true ? [] : [{ path, opens: lock.opens }];
}
