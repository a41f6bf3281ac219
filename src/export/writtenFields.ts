// The fields of a live object as a file declares them, without implied ones.
import isEqual from 'fast-deep-equal';
import type { Field, Kind, ListShape, ObjectShape, ScalarShape, Shape } from '../kinds/kind.ts';
import { canonicalFields, excludedFields, isEmpty } from '../kinds/values/canonical.ts';
import { itemKey, keyFields } from '../kinds/values/items.ts';
import { idInKey, segmentsOf } from '../model/key.ts';
import type { KindName } from '../model/names.ts';
import type { Live } from '../model/object.ts';
import { isSecret } from '../model/secrets/secret.ts';
import { literalKey, literally } from '../model/text/literalText.ts';
import { type Fields, isList, isObject, type Json, type Path } from '../model/value.ts';

/** What is needed to write the fields of one object. */
export interface Wording {
  /** The reference for the secret at a path. */
  readonly secret: (path: Path) => string;
  /** How many parts the keys of a kind have. */
  readonly depthOf: (kind: KindName) => number;
  /** The placeholder of an unreadable field; undefined if there is none. */
  readonly lost: (field: Field) => Json | undefined;
}

/** The fields of `live` as written, in the order of the schema. */
export function writtenFields(kind: Kind, live: Live, wording: Wording): Fields {
  const { shape } = kind;
  const held = canonicalFields(shape, live.fields, 'live');
  const defaults = canonicalFields(shape, {}, 'desired');
  // Some values are readable in two forms, of which only one is writable.
  const dropped = excludedFields(shape, held);
  const written: Record<string, Json> = {};
  for (const field of shape.fields.values()) {
    const { name } = field;
    if (field.readOnly || field.sentBack || field.writtenAs !== undefined || dropped.has(name))
      continue;
    const value = heldValue(field, live.fields[name], held[name], defaults[name]);
    const text =
      value === undefined ? unread(field, wording) : spelt(field.shape, value, [name], wording);
    // An optional object without fields has no effect, so it is not written.
    const isSilent = field.shape.type === 'object' && !field.required && isEmpty(text);
    if (text !== undefined && !isSilent) written[name] = text;
  }
  return written;
}

// The value to write for a top-level field. An absent field keeps its value, or has the default.
function heldValue(
  field: Field,
  read: Json | undefined,
  held: Json | undefined,
  byDefault: Json | undefined,
): Json | undefined {
  if (field.writeOnly || field.serverAssigned || field.notSent || held === undefined)
    return undefined;
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

// Inside a value, an absent field has the default, or is empty.
function speltObject(shape: ObjectShape, value: Fields, path: Path, wording: Wording): Json {
  const defaults = canonicalFields(shape, {}, 'desired');
  const chosen = new Set(shape.exclusive.flat()).difference(excludedFields(shape, value));
  const written: Record<string, Json> = {};
  for (const { name, required, shape: inner } of shape.fields.values()) {
    const item = value[name];
    if (item === undefined) continue;
    const byDefault = defaults[name];
    const saysNothing = byDefault === undefined ? isEmpty(item) : isEqual(item, byDefault);
    if (saysNothing && !required && !chosen.has(name) && !isPlainObject(inner)) continue;
    written[name] = spelt(inner, item, [...path, name], wording);
  }
  const { lock } = shape;
  // A closed lock has a secret, for which only a reference can be written.
  if (lock && value[lock.while] === true)
    written[lock.opens] = wording.secret([...path, lock.opens]);
  return written;
}

// A present object without fields differs from an absent one.
const isPlainObject = (shape: Shape): boolean => shape.type === 'object' || shape.type === 'choice';

/** The last step of the path of an item in a list. */
export function stepOf(shape: ListShape, item: Json, i: number): string {
  const by = keyFields(shape);
  return by === undefined ? String(i + 1) : itemKey(item, by);
}

function mapped(value: Json, change: (key: string, item: Json) => Json): Json {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [literalKey(key), change(key, item)]),
  );
}

// A reference as `parent/name`, or as a list of both names if one contains a slash.
function pointer(kind: KindName, key: string, { depthOf }: Wording): Json {
  const depth = depthOf(kind);
  const names = idInKey(key) === null && depth > 1 ? (segmentsOf(key, depth) ?? []) : [];
  return names.some(name => /[\\/]/.test(name)) ? names.map(literally) : literally(key);
}
