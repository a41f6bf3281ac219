// Lists of items that are named as the objects of their kind are, such as the rules of a policy: layers merge them by name.
import type { Kind } from '../kind.ts';
import { namingFields } from './identity.ts';

/** The field by which the items of a field merge; undefined if they are not named, so that the list is replaced. */
export function namedItems(kind: Kind, field: string): string | undefined {
  const shape = kind.shape.fields.get(field)?.shape;
  const by = shape?.type === 'list' && shape.set ? (shape.set.by ?? []) : [];
  const [name] = by;
  return by.length === 1 && namingFields(kind).includes(name) ? name : undefined;
}
