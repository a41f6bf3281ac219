// Locks inside values: objects that a secret opens while they are closed.
import type { ObjectShape, Shape } from '../kind.ts';

// A shape never changes, so its answer stays true.
const locks = new WeakMap<ObjectShape, boolean>();

/** Whether values of this shape may have locks in them. */
export function hasLocks(shape: Shape): boolean {
  if (shape.type === 'list') return hasLocks(shape.items);
  if (shape.type !== 'object') return false;
  const known = locks.get(shape);
  if (known !== undefined) return known;
  const found = !!shape.lock || [...shape.fields.values()].some(field => hasLocks(field.shape));
  locks.set(shape, found);
  return found;
}
