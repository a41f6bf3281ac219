// A kind's schema → the schema of one object as a file declares it.
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { placesUnder } from '../identity/place.ts';
import type { Kind, KindTable } from '../kind.ts';

/**
 * The schema that one declared object is held against: the fields that files may write, and `lifecycle`.
 * What nests in it is let pass, whatever it is: those are objects of their own.
 */
export function objectSchema(kind: Kind, kinds: KindTable, lifecycle: JsonObject): JsonObject {
  const { $schema, examples, ...schema } = withoutReadOnly(kind.schema);
  const children = [...placesUnder(kinds, kind.name).keys()];
  return {
    ...schema,
    properties: {
      ...(isObject(schema.properties) ? schema.properties : {}),
      ...Object.fromEntries(children.map(key => [key, true])),
      lifecycle,
    },
  };
}

/** A schema without the properties that only the server sets. */
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
