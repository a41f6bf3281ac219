// The canonical form, in which values that mean the same are equal. Both sides of every comparison are converted to it.
import { isSecret } from '../../model/secrets/secret.ts';
import { type Fields, isList, isObject, type Json } from '../../model/value.ts';
import type { DictShape, Field, ListShape, ObjectShape, ScalarShape, Shape } from '../kind.ts';
import { itemKey } from './items.ts';
import { hasLocks } from './locks.ts';
import { normalise } from './normalise.ts';
import { refKey } from './refs.ts';

/**
 * The side of a value. The sides differ in how they treat missing fields: the desired side gets the `default` of the field, and
 * the live side gets the zero value that the server leaves out (`""`, `false`, `[]`, `{}`).
 */
export type Side = 'desired' | 'live';

/**
 * The fields of an object in canonical form, without read-only and sent-back fields. On the desired side, a field that the result
 * does not contain is not declared.
 */
export function canonicalFields(shape: ObjectShape, fields: Fields, side: Side): Fields {
  return canonicalObject(shape, fields, side, 'top');
}

type Level = 'top' | 'nested';

function canonicalObject(shape: ObjectShape, value: Fields, side: Side, level: Level): Fields {
  const dropped = side === 'live' ? unshown(shape, value) : excludedFields(shape, value);
  const result: Record<string, Json> = {};
  for (const field of shape.fields.values()) {
    if (field.readOnly || field.sentBack || dropped.has(field.name)) continue;
    const found =
      canonicalValue(field.shape, value[field.name], side) ?? whenMissing(field, side, level);
    if (found !== undefined && !(level === 'nested' && isNeedless(field, found))) {
      result[field.name] = found;
    }
  }
  return result;
}

function whenMissing(field: Field, side: Side, level: Level): Json | undefined {
  if (side === 'desired' && field.default !== undefined) {
    return canonicalValue(field.shape, field.default, side);
  }
  if (level === 'nested' && isUnasked(field)) return undefined;
  return side === 'desired' && level === 'top' ? undefined : zeroOf(field.shape);
}

// Whether a field is an optional boolean without a default. If it is absent inside a value, it is a condition that is not checked
// (docs/server-behaviour.md#edr-integrations).
function isUnasked({ shape, required, default: preset }: Field): boolean {
  return shape.type === 'scalar' && shape.json === 'boolean' && !required && preset === undefined;
}

// Whether an optional text inside a value is empty. An empty text equals an absent text
// (docs/server-behaviour.md#normalised-values).
function isNeedless(field: Field, value: Json): boolean {
  return value === '' && !field.required && field.default === undefined;
}

// The canonical form of one value; undefined if the value has no canonical form.
function canonicalValue(shape: Shape, value: Json | undefined, side: Side): Json | undefined {
  if (value === undefined || value === null) return undefined;
  switch (shape.type) {
    case 'scalar':
      return canonicalScalar(shape, value);
    case 'choice':
      return canonicalChoice(value);
    case 'list':
      return isList(value) ? canonicalList(shape, value, side) : value;
    case 'object':
      return isObject(value)
        ? canonicalObject(shape, value, side, shape.keepsInside ? 'top' : 'nested')
        : value;
    case 'dict':
      return isObject(value) ? canonicalDict(shape, value, side) : value;
  }
}

function canonicalScalar(shape: ScalarShape, value: Json): Json {
  if (isSecret(value)) return value;
  if (shape.ref && isList(value)) return refKey(value) ?? value;
  return shape.normalise && typeof value === 'string' ? normalise(shape.normalise, value) : value;
}

function canonicalChoice(value: Json): Json | undefined {
  const [entry] = Object.entries(isObject(value) ? value : {});
  return entry && { [entry[0]]: refKey(entry[1]) ?? entry[1] };
}

function canonicalList(shape: ListShape, value: readonly Json[], side: Side): Json {
  const items = value.flatMap(item => canonicalValue(shape.items, item, side) ?? []);
  if (!shape.set) return items;
  const { by } = shape.set;
  const byText = new Map(items.map(item => [sortText(item, by), item]));
  const texts = [...byText.keys()].sort();
  if (byText.size === items.length || !hasLocks(shape.items))
    return texts.map(text => byText.get(text) ?? null);
  // Locks that look equal may have different secrets, so duplicates of them are kept.
  const same = Map.groupBy(items, item => sortText(item, by));
  return texts.flatMap(text => same.get(text) ?? []);
}

// The text by which an item is sorted: its name if it has one, so that a plan shows the items in the expected order.
function sortText(item: Json, by: readonly string[] | undefined): string {
  if (typeof item === 'string') return item;
  const text = JSON.stringify(item);
  return by !== undefined && isObject(item) ? `${itemKey(item, by)} ${text}` : text;
}

function canonicalDict(shape: DictShape, value: Fields, side: Side): Json {
  const entries = Object.keys(value)
    .sort()
    .flatMap(key => {
      const found = canonicalValue(shape.values, value[key], side) ?? zeroOf(shape.values);
      return found === undefined ? [] : [[key, found] as const];
    });
  return Object.fromEntries(entries);
}

/**
 * The fields to drop among fields that exclude each other. The field with a value is kept. If no field has a value, the present
 * one is kept; if none is present, the first one.
 */
export function excludedFields(shape: ObjectShape, value: Fields): ReadonlySet<string> {
  if (shape.exclusive.length === 0) return NONE;
  return new Set(
    shape.exclusive.flatMap(names => {
      const chosen = names.find(name => !isEmpty(value[name])) ?? names.find(name => name in value);
      return names.filter(name => name !== (chosen ?? names[0]));
    }),
  );
}

const NONE: ReadonlySet<string> = new Set();

// The fields to drop. Two fields that the account derives from the same value are both kept.
function unshown(shape: ObjectShape, value: Fields): ReadonlySet<string> {
  if (shape.exclusive.length === 0) return NONE;
  const isDerived = (name: string) =>
    shape.fields.get(name)?.transform !== undefined && !isEmpty(value[name]);
  const twofold = shape.exclusive.filter(names => names.every(isDerived)).flat();
  return excludedFields(shape, value).difference(new Set(twofold));
}

/** Whether a value is empty: missing, `null`, `""`, `[]` or `{}`. */
export function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  return isList(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

function zeroOf(shape: Shape): Json | undefined {
  switch (shape.type) {
    case 'scalar':
      return shape.json === 'string' ? '' : shape.json === 'boolean' ? false : undefined;
    case 'list':
      return [];
    case 'dict':
      return {};
    default:
      return undefined;
  }
}
