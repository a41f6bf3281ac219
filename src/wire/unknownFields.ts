// Handles fields that an account shows but the schemas do not have, because a newer server has more fields.
import type { Field, Kind, ListShape, ObjectShape, Shape } from '../kinds/kind.ts';
import { canonicalFields } from '../kinds/values/canonical.ts';
import { itemKey, keyFields } from '../kinds/values/items.ts';
import type { UnknownField } from '../model/object.ts';
import { type Fields, isList, isObject, type Json, type Path } from '../model/value.ts';
import { decodeFields, type KeyOfId } from './decode.ts';

// Whether a value can be sent back without knowing what it means: a scalar, or a list of scalars.
function isPlain(value: Json): boolean {
  return isList(value) ? value.every(isScalar) : isScalar(value);
}

const isScalar = (value: Json): boolean => typeof value !== 'object' || value === null;

// Whether a name is a field of the schema, or one of the two fields of a pointer.
const hasField = (shape: ObjectShape, name: string): boolean =>
  shape.fields.has(name) || pointerFields(shape).has(name);

// The pointer fields of each shape. They can be cached, because a shape never changes.
const pointers = new WeakMap<ObjectShape, ReadonlySet<string>>();

function pointerFields(shape: ObjectShape): ReadonlySet<string> {
  const known = pointers.get(shape);
  if (known) return known;
  const names = [...shape.fields.values()].flatMap(field =>
    field.shape.type === 'choice' && field.shape.at ? Object.values(field.shape.at) : [],
  );
  const found = new Set(names);
  pointers.set(shape, found);
  return found;
}

/** Whether an update sends a field, so that its content is written again. */
const isSent = ({ readOnly, sentBack, writtenAs, inputOnly }: Field): boolean =>
  !readOnly && !sentBack && writtenAs === undefined && !inputOnly;

/**
 * The plain fields of `read`, an object in the account, that `shape` does not have. They are sent back to servers that ignore
 * unknown fields. A field that reads as `null` is absent.
 */
export function plainUnknown(shape: ObjectShape, read: Json | undefined): Fields {
  return Object.fromEntries(
    Object.entries(isObject(read) ? read : {}).filter(
      ([name, value]) => !hasField(shape, name) && value !== null && isPlain(value),
    ),
  );
}

/**
 * The same for a whole object. Its id, and the field that selects its kind, do not count as
 * unknown.
 */
export function plainUnknownOf(kind: Kind, read: Fields): Fields {
  const found = Object.entries(plainUnknown(kind.shape, read));
  return Object.fromEntries(found.filter(([name]) => !isTheObjects(kind, name)));
}

const isTheObjects = ({ where }: Kind, name: string | undefined): boolean =>
  name === 'id' || name === where?.field;

/**
 * Every unknown field of a body and of the objects in it that an update sends. Items of keyed lists are named by their
 * keys.
 */
export function unknownFields(kind: Kind, body: Fields, keyOf: KeyOfId): UnknownField[] {
  const found = inObject(kind.shape, body, [], keyOf).filter(
    ({ path }) => path.length > 1 || !isTheObjects(kind, path[0]),
  );
  return [...new Map(found.map(field => [JSON.stringify(field.path), field])).values()];
}

function inObject(shape: ObjectShape, body: Fields, path: Path, keyOf: KeyOfId): UnknownField[] {
  return Object.entries(body).flatMap(([name, value]) => {
    const here = [...path, name];
    const field = shape.fields.get(name);
    if (field) return isSent(field) ? inValue(field.shape, value, here, keyOf) : [];
    return value === null || hasField(shape, name) ? [] : [{ path: here, isPlain: isPlain(value) }];
  });
}

function inValue(shape: Shape, value: Json, path: Path, keyOf: KeyOfId): UnknownField[] {
  if (shape.type === 'object') return isObject(value) ? inObject(shape, value, path, keyOf) : [];
  if (shape.type === 'dict')
    return Object.entries(isObject(value) ? value : {}).flatMap(([key, item]) =>
      inValue(shape.values, item, [...path, shape.keyRef ? keyOf(shape.keyRef, key) : key], keyOf),
    );
  if (shape.type === 'list' && isList(value))
    return value.flatMap(item => {
      const found = inValue(shape.items, item, [], keyOf);
      const step = found.length === 0 ? [] : stepTo(shape, item, keyOf);
      return found.map(field => ({ ...field, path: [...path, ...step, ...field.path] }));
    });
  return [];
}

// Items without a key have no fixed position, so the field is reported once for all of them.
function stepTo(list: ListShape, item: Json, keyOf: KeyOfId): Path {
  const by = keyFields(list);
  if (by === undefined || list.items.type !== 'object' || !isObject(item)) return [];
  const fields = decodeFields(list.items, item, keyOf);
  return [itemKey(canonicalFields(list.items, fields, 'live'), by)];
}
