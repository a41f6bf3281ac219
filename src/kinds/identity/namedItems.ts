// Finds lists whose items have names like the objects of their kind, such as the rules of a policy. Layers merge these items by
// name.
import type { Kind } from '../kind.ts';
import { namingFields } from './identity.ts';

/**
 * The field by which layers merge the items of a list; undefined if the items have no names, so that a layer replaces the whole
 * list.
 */
export function namedItems(kind: Kind, field: string): string | undefined {
  const shape = kind.shape.fields.get(field)?.shape;
  const by = shape?.type === 'list' && shape.set ? (shape.set.by ?? []) : [];
  const [name] = by;
  return by.length === 1 && namingFields(kind).includes(name) ? name : undefined;
}
