// The editor schema of an object that extends templates: required fields may come from a template, and null removes a field of
// one.
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';

/** The values that an object with `extends` takes for these properties. */
export function partialProperties(properties: JsonObject): JsonObject {
  const entries = Object.entries(properties).map(([name, value]): [string, Json] => [
    name,
    isObject(value) ? partial(value) : value,
  ]);
  return Object.fromEntries(entries);
}

/** The same for a mapping. */
export const partialMapping = (schema: JsonObject): JsonObject => ({
  ...schema,
  properties: partialProperties(isObject(schema.properties) ? schema.properties : {}),
});

/** The properties that have to be checked again where nothing is extended: mappings with parts that are required. */
export function wholeProperties(properties: JsonObject): JsonObject {
  const entries = Object.entries(properties).filter(
    ([, value]) => isObject(value) && isMapping(value),
  );
  return Object.fromEntries(entries);
}

/** Null is a value only for an object that extends something. */
export const NO_NULLS: JsonObject = { additionalProperties: { not: { type: 'null' } } };

const isMapping = ({ type, properties }: JsonObject): boolean =>
  (isList(type) ? type : [type]).includes('object') && isObject(properties);

// Lists replace, so that nothing inside of them is partial.
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
