// Finds faults of a response that would silently lose data when the response is read.
import type { Kind, ObjectShape, Shape } from '../kinds/kind.ts';
import { pathName } from '../model/text/pathName.ts';
import { quoted } from '../model/text/visible.ts';
import { type Fields, isList, isObject, type Json, type Path } from '../model/value.ts';

/**
 * Why an object of this kind cannot be used as it was read, in words; null if it can. A list entry that is `null` would
 * be dropped, and an id above the exact range of JSON numbers would become another id.
 */
export function bodyFault({ shape }: Kind, body: Fields): string | null {
  return inObject(shape, body, []);
}

/** Whether an id is above the exact range of JSON numbers. */
export const isInexact = (id: Json | undefined): boolean =>
  typeof id === 'number' && !Number.isSafeInteger(id);

function inObject(shape: ObjectShape, body: Fields, path: Path): string | null {
  for (const field of shape.fields.values()) {
    // Read-only fields are not written back.
    if (field.readOnly && !field.sentBack) continue;
    const fault = inValue(field.shape, body[field.name], [...path, field.name]);
    if (fault !== null) return fault;
  }
  return null;
}

function inValue(shape: Shape, value: Json | undefined, path: Path): string | null {
  const isPointer = shape.type === 'choice' || (shape.type === 'scalar' && shape.ref !== undefined);
  if (isPointer) {
    const id = isObject(value) ? value.id : value;
    return isInexact(id)
      ? `refers, in ${quoted(pathName(path))}, to an id that is too large a number`
      : null;
  }
  if (shape.type === 'object') return isObject(value) ? inObject(shape, value, path) : null;
  if (shape.type === 'dict')
    return inAll(shape.values, Object.entries(isObject(value) ? value : {}), path);
  if (shape.type !== 'list' || !isList(value)) return null;
  if (value.includes(null)) return `contains null in ${quoted(pathName(path))}`;
  return inAll(
    shape.items,
    value.map((item, i): [string, Json] => [String(i), item]),
    path,
  );
}

function inAll(
  shape: Shape,
  items: readonly (readonly [string, Json])[],
  path: Path,
): string | null {
  for (const [step, item] of items) {
    const fault = inValue(shape, item, [...path, step]);
    if (fault !== null) return fault;
  }
  return null;
}
