// Turns API bodies into model fields. In the API, references are ids or objects, and `null` means absent.
import type { ChoiceShape, DictShape, Field, ObjectShape, Shape } from '../kinds/kind.ts';
import { idKey } from '../model/key.ts';
import { type KindName, remoteId } from '../model/names.ts';
import { type Fields, isList, isObject, type Json } from '../model/value.ts';
import { isMasked, READ_SECRET } from './readSecret.ts';
import { TRANSFORM } from './transforms.ts';

/** How the model writes an id of a kind. */
export type KeyOfId = (kind: KindName, id: string) => string;

/** Keeps ids: `id:<value>`. */
export const byId: KeyOfId = (_, id) => idKey(remoteId(id));

/** The fields of a body: references as `keyOf` writes them, without read-only fields. */
export function decodeFields(shape: ObjectShape, body: Fields, keyOf: KeyOfId): Fields {
  const fields: Record<string, Json> = {};
  for (const field of shape.fields.values()) {
    if (field.readOnly || field.writeOnly || field.writtenAs) continue;
    const raw = given(field.shape, valueIn(field, body));
    const decoded = raw === undefined ? undefined : decodeValue(field.shape, raw, keyOf);
    const value = field.transform ? TRANSFORM[field.transform](decoded, body) : decoded;
    if (value !== undefined) fields[field.name] = value;
  }
  return fields;
}

/** The value of a field in a body. The id and the type of a pointer may be two separate fields of the body. */
export function valueIn(
  { name, shape }: Pick<Field, 'name' | 'shape'>,
  body: Fields,
): Json | undefined {
  if (shape.type !== 'choice' || !shape.at) return body[name];
  return { id: body[shape.at.id] ?? null, type: body[shape.at.type] ?? null };
}

// The server writes null for an empty list (docs/server-behaviour.md#lists-that-read-as-null), and for any other absent
// value.
function given(shape: Shape, value: Json | undefined): Json | undefined {
  return value === null ? (shape.type === 'list' ? [] : undefined) : value;
}

function decodeValue(shape: Shape, value: Json, keyOf: KeyOfId): Json | undefined {
  switch (shape.type) {
    case 'scalar':
      if (shape.secret || (shape.masked && isMasked(value))) return READ_SECRET;
      return shape.ref ? decodeRef(shape.ref, value, keyOf) : value;
    case 'choice':
      return isObject(value) ? decodeChoice(shape, value, keyOf) : undefined;
    case 'list':
      return isList(value)
        ? value.flatMap(item => decodeValue(shape.items, item, keyOf) ?? [])
        : undefined;
    case 'dict':
      return isObject(value) ? decodeDict(shape, value, keyOf) : undefined;
    case 'object':
      return isObject(value) ? decodeFields(shape, value, keyOf) : undefined;
  }
}

// Decodes a reference. It is written as an id, and read as an id or as an object with an id: group members, sources of rules,
// groups of a resource.
function decodeRef(kind: KindName, value: Json, keyOf: KeyOfId): Json | undefined {
  const id = isObject(value) ? value.id : value;
  return isNoId(id) ? undefined : keyOf(kind, String(id));
}

function decodeChoice({ cases }: ChoiceShape, { id, type }: Fields, keyOf: KeyOfId) {
  if (isNoId(id)) return undefined;
  const all = [...cases];
  const found = all.find(([, wire]) => wire.type === type) ?? all.find(([, wire]) => wire.typeOf);
  return found && { [found[0]]: keyOf(found[0], String(id)) };
}

const isNoId = (id: Json | undefined): boolean => id === undefined || id === null || id === '';

function decodeDict({ keyRef, values }: DictShape, value: Fields, keyOf: KeyOfId): Json {
  const entries = Object.entries(value).flatMap(([key, item]): [string, Json][] => {
    const raw = given(values, item);
    const decoded = raw === undefined ? undefined : decodeValue(values, raw, keyOf);
    return decoded === undefined ? [] : [[keyRef ? keyOf(keyRef, key) : key, decoded]];
  });
  return Object.fromEntries(entries);
}
