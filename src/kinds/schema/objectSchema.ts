// Turns the schema of a kind into the schema of one declared object.
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { sectionsUnder } from '../identity/sections.ts';
import type { Kind, KindTable } from '../kind.ts';

/**
 * The schema of one declared object: the fields that files may declare, and `lifecycle`. It accepts any children, because each
 * child is checked as a separate object.
 */
export function objectSchema(kind: Kind, kinds: KindTable, lifecycle: JsonObject): JsonObject {
  const { $schema, examples, ...schema } = withoutReadOnly(kind.schema);
  const children = [...sectionsUnder(kinds, kind.name).keys()];
  return {
    ...schema,
    properties: {
      ...(isObject(schema.properties) ? schema.properties : {}),
      ...Object.fromEntries(children.map(key => [key, true])),
      lifecycle,
    },
  };
}

/** A schema without its read-only properties. */
export function withoutReadOnly(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).filter(
    ([, value]) => !(isObject(value) && value.readOnly === true),
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, inside(value)]));
}

function inside(value: Json): Json {
  if (isList(value)) return value.map(inside);
  return isObject(value) ? withoutReadOnly(value) : value;
}
