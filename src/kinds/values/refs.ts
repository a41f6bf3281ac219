// The kinds that a kind refers to, and a walk over the references in a value.
import { keyOf } from '../../model/key.ts';
import type { KindName } from '../../model/names.ts';
import { type Fields, isList, isObject, type Json, type Path } from '../../model/value.ts';
import type { Field, Kind, KindTable, ObjectShape, Shape } from '../kind.ts';

/**
 * The kinds to which fields of this kind refer. Fields that are sent back, read-only, or written in another object are left out.
 */
export const refsOf = (kind: Kind): ReadonlySet<KindName> => refsOfShape(kind.shape);

/** The kinds to which fields in a part of a kind refer. */
export function refsOfShape(shape: Shape): ReadonlySet<KindName> {
  const found = new Set<KindName>();
  visitShape(shape, found);
  return found;
}

function visitShape(shape: Shape, found: Set<KindName>): void {
  if (shape.type === 'scalar' && shape.ref) found.add(shape.ref);
  if (shape.type === 'choice') for (const name of shape.cases.keys()) found.add(name);
  if (shape.type === 'list') visitShape(shape.items, found);
  if (shape.type === 'dict') {
    if (shape.keyRef) found.add(shape.keyRef);
    visitShape(shape.values, found);
  }
  if (shape.type === 'object') {
    for (const field of shape.fields.values()) {
      if (!field.readOnly && !field.sentBack && !field.writtenAs) visitShape(field.shape, found);
    }
  }
}

/**
 * The read-only fields of `pointedAt` that a reference to it contains on the wire, such as the `type` of a resource.
 */
export function fieldsSentBy(kinds: KindTable, pointedAt: KindName): ReadonlySet<string> {
  const ofTable = sentInTable.get(kinds) ?? new Map<KindName, ReadonlySet<string>>();
  sentInTable.set(kinds, ofTable);
  const known = ofTable.get(pointedAt);
  if (known) return known;
  const found = new Set([...kinds.values()].flatMap(kind => sentFields(kind.shape, pointedAt)));
  ofTable.set(pointedAt, found);
  return found;
}

// Cached, because every object of a plan needs the result. A table never changes, so the results stay valid.
const sentInTable = new WeakMap<KindTable, Map<KindName, ReadonlySet<string>>>();

function sentFields(shape: Shape, pointedAt: KindName): string[] {
  if (shape.type === 'choice') return [shape.cases.get(pointedAt)?.typeOf ?? []].flat();
  if (shape.type === 'list') return sentFields(shape.items, pointedAt);
  if (shape.type === 'dict') return sentFields(shape.values, pointedAt);
  if (shape.type !== 'object') return [];
  return [...shape.fields.values()].flatMap(field => sentFields(field.shape, pointedAt));
}

/** A reference in a value: the kind and key of its target, and its path. */
export interface FoundRef {
  readonly kind: KindName;
  readonly key: string;
  readonly path: Path;
}

/** Every reference in `value`, in the order in which the value contains them. */
export function refsIn(shape: Shape, value: Json | undefined, path: Path = []): FoundRef[] {
  switch (shape.type) {
    case 'scalar':
      return shape.ref ? refAt(shape.ref, value, path) : [];
    case 'choice':
      return Object.entries(isObject(value) ? value : {}).flatMap(([kind, key]) =>
        refAt(kind as KindName, key, [...path, kind]),
      );
    case 'list':
      return isList(value)
        ? value.flatMap((item, i) => refsIn(shape.items, item, [...path, String(i)]))
        : [];
    case 'dict':
      return Object.entries(isObject(value) ? value : {}).flatMap(([key, item]) => [
        ...(shape.keyRef ? [{ kind: shape.keyRef, key, path: [...path, key] }] : []),
        ...refsIn(shape.values, item, [...path, key]),
      ]);
    case 'object':
      return isObject(value)
        ? fieldsWithRefs(shape).flatMap(field =>
            refsIn(field.shape, value[field.name], [...path, field.name]),
          )
        : [];
  }
}

// The fields that contain references; most fields do not. Cached, because a shape never changes.
const withRefs = new WeakMap<ObjectShape, readonly Field[]>();

function fieldsWithRefs(shape: ObjectShape): readonly Field[] {
  const known = withRefs.get(shape);
  if (known) return known;
  const found = [...shape.fields.values()].filter(field => hasRefs(field.shape));
  withRefs.set(shape, found);
  return found;
}

function hasRefs(shape: Shape): boolean {
  switch (shape.type) {
    case 'scalar':
      return shape.ref !== undefined;
    case 'choice':
      return true;
    case 'list':
      return hasRefs(shape.items);
    case 'dict':
      return shape.keyRef !== undefined || hasRefs(shape.values);
    case 'object':
      return fieldsWithRefs(shape).length > 0;
  }
}

// `value` with every reference in it replaced by the result of `change`; references become keys.
function mapRefs(shape: Shape, value: Json, change: (kind: KindName, key: string) => string): Json {
  switch (shape.type) {
    case 'scalar':
      return shape.ref ? mapRef(shape.ref, value, change) : value;
    case 'choice':
      return mapEntries(value, (kind, key) => [kind, mapRef(kind as KindName, key, change)]);
    case 'list':
      return isList(value) ? value.map(item => mapRefs(shape.items, item, change)) : value;
    case 'dict':
      return mapEntries(value, (key, item) => [
        shape.keyRef ? change(shape.keyRef, key) : key,
        mapRefs(shape.values, item, change),
      ]);
    case 'object':
      return isObject(value) ? mapObjectRefs(shape, value, change) : value;
  }
}

function mapEntries(value: Json, change: (name: string, item: Json) => [string, Json]): Json {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => change(name, item)));
}

/** The fields of an object with every reference in them replaced by the result of `change`; references become keys. */
export function mapFieldRefs(
  kind: Kind,
  fields: Fields,
  change: (kind: KindName, key: string) => string,
): Fields {
  return mapObjectRefs(kind.shape, fields, change);
}

/** The fields of an object of any shape with every reference replaced. An object without references is returned itself. */
export function mapObjectRefs(
  shape: ObjectShape,
  fields: Fields,
  change: (kind: KindName, key: string) => string,
): Fields {
  const present = fieldsWithRefs(shape).filter(({ name }) => Object.hasOwn(fields, name));
  if (present.length === 0) return fields;
  const mapped: Record<string, Json> = { ...fields };
  for (const { name, shape: inner } of present) {
    const value = fields[name];
    if (value !== undefined) mapped[name] = mapRefs(inner, value, change);
  }
  return mapped;
}

function refAt(kind: KindName, value: Json | undefined, path: Path): FoundRef[] {
  const key = refKey(value);
  return key === null ? [] : [{ kind, key, path }];
}

function mapRef(
  kind: KindName,
  value: Json,
  change: (kind: KindName, key: string) => string,
): Json {
  const key = refKey(value);
  return key === null ? value : change(kind, key);
}

/** The key of a reference: its text, or the key of a list of names. Null for any other value. */
export function refKey(value: Json | undefined): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  const names = isList(value) ? value.filter(name => typeof name === 'string') : [];
  return names.length > 0 && isList(value) && names.length === value.length ? keyOf(names) : null;
}
