// The editor schema of an object that extends templates. Required fields may come from a template, and null removes a field of a
// template.
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';

/** The schemas of these properties in an object with `extends`. */
export function partialProperties(properties: JsonObject): JsonObject {
  const entries = Object.entries(properties).map(([name, value]): [string, Json] => [
    name,
    isObject(value) ? partial(value) : value,
  ]);
  return Object.fromEntries(entries);
}

/** The schema of a mapping in an object with `extends`. */
export const partialMapping = (schema: JsonObject): JsonObject => ({
  ...schema,
  properties: partialProperties(isObject(schema.properties) ? schema.properties : {}),
});

/**
 * The properties that must be checked again in an object that extends nothing, because they are mappings with required entries.
 */
export function wholeProperties(properties: JsonObject): JsonObject {
  const entries = Object.entries(properties).filter(
    ([, value]) => isObject(value) && isMapping(value),
  );
  return Object.fromEntries(entries);
}

/** Forbids null as a value in an object that does not extend another one. */
export const NO_NULLS: JsonObject = { additionalProperties: { not: { type: 'null' } } };

const isMapping = ({ type, properties }: JsonObject): boolean =>
  (isList(type) ? type : [type]).includes('object') && isObject(properties);

// The schema of a partial value. A list is always replaced as a whole, so nothing inside a list is partial.
function partial(schema: JsonObject): JsonObject {
  if (!isMapping(schema)) return orNull(schema);
  const { required, oneOf, minProperties, ...rest } = schema;
  return orNull(partialMapping(rest));
}

function orNull(schema: JsonObject): JsonObject {
  const { title, description, ...rest } = schema;
  const { type, anyOf } = rest;
  if (isList(anyOf)) return { ...schema, anyOf: [...anyOf, NULL] };
  const isOpen = type !== undefined && rest.enum === undefined && rest.const === undefined;
  if (isOpen) return { ...schema, type: [type, 'null'].flat() };
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    anyOf: [rest, NULL],
  };
}

const NULL: JsonObject = { type: 'null' };
