// The fields of a live object as a file declares them: what has to be written, and nothing that goes without saying.
import isEqual from 'fast-deep-equal';
import type { Field, Kind, ListShape, ObjectShape, ScalarShape, Shape } from '../kinds/kind.ts';
import { canonicalFields, isEmpty, unchosen } from '../kinds/values/canonical.ts';
import { itemKey, keyFields } from '../kinds/values/items.ts';
import { idInKey, segmentsOf } from '../model/key.ts';
import type { KindName } from '../model/names.ts';
import type { Live } from '../model/object.ts';
import { isSecret } from '../model/secrets/secret.ts';
import { type Fields, isList, isObject, type Json, type Path } from '../model/value.ts';
import { literally } from '../source/values/reference.ts';

/** What the fields of one object are written with. */
export interface Wording {
  /** What stands for the secret at a path. */
  readonly secret: (path: Path) => string;
  /** How many parts the keys of a kind have. */
  readonly depthOf: (kind: KindName) => number;
  /** What stands for a field that cannot be read back; undefined where nothing does. */
  readonly lost: (field: Field) => Json | undefined;
}

/** The fields of `live` as they are written, in the order of the schema. */
export function writtenFields(kind: Kind, live: Live, wording: Wording): Fields {
  const { shape } = kind;
  const held = canonicalFields(shape, live.fields, 'live');
  const defaults = canonicalFields(shape, {}, 'desired');
  // Some things read in two forms, of which only one can be written.
  const dropped = unchosen(shape, held);
  const written: Record<string, Json> = {};
  for (const field of shape.fields.values()) {
    const { name } = field;
    if (field.readOnly || field.sentBack || field.writtenAs !== undefined || dropped.has(name))
      continue;
    const value = heldValue(field, live.fields[name], held[name], defaults[name]);
    const text =
      value === undefined ? unread(field, wording) : spelt(field.shape, value, [name], wording);
    if (text !== undefined) written[name] = text;
  }
  return written;
}

// What a top-level field has to say. Absence keeps what is there, or means the default.
function heldValue(
  field: Field,
  read: Json | undefined,
  held: Json | undefined,
  byDefault: Json | undefined,
): Json | undefined {
  if (field.writeOnly || field.serverAssigned || held === undefined) return undefined;
  if (field.required) return held;
  if (byDefault !== undefined) return isEqual(held, byDefault) ? undefined : held;
  if (read === undefined || isEmpty(held)) return undefined;
  return field.irreversible && held === false ? undefined : held;
}

function unread(field: Field, wording: Wording): Json | undefined {
  if (field.writeOnly) return wording.secret([field.name]);
  return field.inputOnly ? wording.lost(field) : undefined;
}

function spelt(shape: Shape, value: Json, path: Path, wording: Wording): Json {
  switch (shape.type) {
    case 'scalar':
      return speltScalar(shape, value, path, wording);
    case 'choice':
      return mapped(value, (kind, key) => pointer(kind as KindName, String(key), wording));
    case 'list':
      return isList(value)
        ? value.map((item, i) =>
            spelt(shape.items, item, [...path, stepOf(shape, item, i)], wording),
          )
        : value;
    case 'dict':
      return mapped(value, (key, item) => spelt(shape.values, item, [...path, key], wording));
    case 'object':
      return isObject(value) ? speltObject(shape, value, path, wording) : value;
  }
}

function speltScalar(shape: ScalarShape, value: Json, path: Path, wording: Wording): Json {
  if (isSecret(value)) return wording.secret(path);
  if (shape.ref) return pointer(shape.ref, String(value), wording);
  return typeof value === 'string' ? literally(value) : value;
}

// Inside a value nothing is left as it is: what is missing means the default, or nothing.
function speltObject(shape: ObjectShape, value: Fields, path: Path, wording: Wording): Json {
  const defaults = canonicalFields(shape, {}, 'desired');
  const chosen = new Set(shape.exclusive.flat()).difference(unchosen(shape, value));
  const written: Record<string, Json> = {};
  for (const { name, required, shape: inner } of shape.fields.values()) {
    const item = value[name];
    if (item === undefined) continue;
    const byDefault = defaults[name];
    const saysNothing = byDefault === undefined ? isEmpty(item) : isEqual(item, byDefault);
    if (saysNothing && !required && !chosen.has(name) && !isPlainObject(inner)) continue;
    written[name] = spelt(inner, item, [...path, name], wording);
  }
  return written;
}

// An object that is there, even with nothing in it, is not one that is not there.
const isPlainObject = (shape: Shape): boolean => shape.type === 'object' || shape.type === 'choice';

function stepOf(shape: ListShape, item: Json, i: number): string {
  const by = keyFields(shape);
  return by === undefined ? String(i + 1) : itemKey(item, by);
}

function mapped(value: Json, change: (key: string, item: Json) => Json): Json {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(key, item)]));
}

// As `parent/name`, or as a list of the two where a name has a slash in it.
function pointer(kind: KindName, key: string, { depthOf }: Wording): Json {
  const depth = depthOf(kind);
  const names = idInKey(key) === null && depth > 1 ? (segmentsOf(key, depth) ?? []) : [];
  return names.some(name => /[\\/]/.test(name)) ? names.map(literally) : literally(key);
}
