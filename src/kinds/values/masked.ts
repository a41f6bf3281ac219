// Fields for which the account decides whether a value is secret. Some servers return values in clear text that the files read
// from a secret.
import { isSecret, secretFrom } from '../../model/secrets/secret.ts';
import { isList, isObject, type Json, type Path } from '../../model/value.ts';
import type { Kind, Shape } from '../kind.ts';
import { isEmpty } from './canonical.ts';
import { shapeAt } from './shapeAt.ts';

/** Whether the value at this path of an object is known not to be a secret. */
export type IsOpen = (path: Path, value: Json) => boolean;

/** A live value without values that may be secret. */
export function withoutMasked(
  shape: Shape | undefined,
  value: Json,
  isOpen: IsOpen,
  path: Path = [],
): Json {
  if (isSecret(value)) return value;
  if (isList(value)) {
    const items = shape?.type === 'list' ? shape.items : undefined;
    return value.map((item, i) => withoutMasked(items, item, isOpen, [...path, String(i)]));
  }
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        withoutMasked(shapeAt(shape, [name]), item, isOpen, [...path, name]),
      ]),
    );
  }
  const mayBeSecret = shape?.type === 'scalar' && shape.masked && !isEmpty(value);
  return mayBeSecret && !isOpen(path, value) ? secretFrom('') : value;
}

/** Whether a kind has a field of this type. */
export function hasMasked(kind: Kind): boolean {
  const found = known.get(kind) ?? holdsMasked(kind.shape);
  known.set(kind, found);
  return found;
}

const known = new WeakMap<Kind, boolean>();

function holdsMasked(shape: Shape): boolean {
  switch (shape.type) {
    case 'list':
      return holdsMasked(shape.items);
    case 'dict':
      return holdsMasked(shape.values);
    case 'object':
      return [...shape.fields.values()].some(field => holdsMasked(field.shape));
    default:
      return shape.type === 'scalar' && shape.masked;
  }
}
