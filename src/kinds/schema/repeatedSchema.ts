// The editor schema of list members that `for_each` repeats, and of values that a reference replaces.
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';

/** A reference to an entry of `for_each`, as a part of an expression: `${each.key}`, `${office.value.port}`. */
export const ENTRY = '[A-Za-z_][A-Za-z0-9_]*\\.(key|value)[^}]*';

// A reference that is the whole text. Only such a reference can stand for a value of another type.
const FILLED = '^\\$\\{[A-Za-z_]\\w*\\..*\\}$';

const OTHER_TYPES: ReadonlySet<Json> = new Set(['integer', 'number', 'boolean', 'array', 'object']);

/** The schema of a value, or of a reference that is replaced by the value. */
export function orFilled(schema: JsonObject): JsonObject {
  const { type } = schema;
  if (type === undefined || !OTHER_TYPES.has(type)) return schema;
  const { enum: values, const: only, pattern } = schema;
  if (values !== undefined || only !== undefined || pattern !== undefined) return schema;
  return { ...schema, type: [type, 'string'], pattern: FILLED };
}

/** The schema without references, for a value that must be written literally. */
export function notFilled({ pattern, ...schema }: JsonObject): JsonObject {
  const [type] = isList(schema.type) ? schema.type : [schema.type];
  return pattern === FILLED && type !== undefined ? { ...schema, type } : schema;
}

/** The keys of a list member that is repeated. */
export const REPEATS: JsonObject = {
  for_each: {
    title: 'For each',
    description: 'Repeats this for each entry of a set, of a list of texts or of a mapping.',
    $ref: '#/$defs/for_each',
    examples: ['offices'],
  },
  as: {
    title: 'As',
    description:
      'The name of the entry in texts, by default each. With as: office, texts use ${office.key}.',
    type: 'string',
    pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
    examples: ['office'],
  },
};

/** The definitions that repeated members use. */
export const FOR_EACH: JsonObject = {
  anyOf: [
    { type: 'string' },
    { type: 'array', items: { type: 'string' } },
    { type: 'object', additionalProperties: true },
  ],
};

/** The schema of a list member, with the keys that repeat it. */
export function repeatable(schema: JsonObject): JsonObject {
  const { properties } = schema;
  return isObject(properties) ? { ...schema, properties: { ...REPEATS, ...properties } } : schema;
}

/**
 * The schema for places in which `for_each` cannot be used: without the keys that repeat a list member and without references to
 * values, at all depths.
 */
export function neverRepeated(schema: JsonObject): JsonObject {
  const inside = (value: Json): Json => {
    if (isList(value)) return value.map(inside);
    return isObject(value) ? neverRepeated(value) : value;
  };
  const entries = Object.entries(notFilled(schema)).map(([name, value]): [string, Json] => [
    name,
    name === 'properties' && isObject(value) ? inside(notRepeatable(value)) : inside(value),
  ]);
  return Object.fromEntries(entries);
}

const notRepeatable = (properties: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(properties).filter(([name, value]) => value !== REPEATS[name]));

/** The sets at the top level of a file. */
export const SETS: JsonObject = {
  title: 'Sets',
  description: 'Entries that many objects name in for_each, so that a new entry is written once.',
  type: 'object',
  additionalProperties: {
    anyOf: [
      { type: 'array', items: { type: 'string' } },
      { type: 'object', additionalProperties: true },
    ],
  },
  examples: [{ offices: { hamburg: { net: '10.1.0.0/16' }, bremen: { net: '10.2.0.0/16' } } }],
};
