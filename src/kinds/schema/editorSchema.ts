// Turns a meshform schema into a schema for editors. It has only standard keywords and formats, and a title on every field. It
// accepts references to external values, because an editor cannot resolve them.
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { fieldsLookedAt } from './conditions.ts';
import { ENTRY, orFilled, repeatable } from './repeatedSchema.ts';

/** A text that refers to an external value. Secrets may be any text here. */
export const OUTSIDE: JsonObject = {
  title: 'A reference to a value',
  description:
    'meshform replaces the reference with the value when it reads the file: ${var:NAME}, ${var:NAME:-default} or, with for_each, ${each.key}.',
  type: 'string',
  pattern: `\\$\\{(var:[^}]+|${ENTRY})\\}`,
};

const TAKES_OUTSIDE: JsonObject = { $ref: '#/$defs/outside' };

/** Returns `schema` in the form for editors. Its local definitions are at `#/$defs/<prefix>.<name>`. */
export function forEditors(schema: JsonObject, prefix: string): JsonObject {
  const { 'x-trait': trait, format, ...kept } = schema;
  const mapped = Object.entries(kept).map(([name, value]): [string, Json] => {
    if (HOLDS_VALUES.has(name)) return [name, value];
    if (name === '$ref')
      return [name, String(value).replace('#/$defs/', prefix ? `#/$defs/${prefix}.` : '#/$defs/')];
    if (name === 'properties' && isObject(value))
      return [name, propertiesForEditors(value, prefix)];
    if (name === 'items' && isObject(value)) return [name, repeatable(forEditors(value, prefix))];
    return [name, inside(value, prefix)];
  });
  return withEnds(forOutside(Object.fromEntries(mapped)), trait);
}

const MEMBER_THAT_ENDS: JsonObject = {
  title: 'A member that expires',
  type: 'object',
  additionalProperties: false,
  required: ['name', 'until'],
  properties: {
    name: { title: 'Name', type: 'string', minLength: 1, description: 'The member.' },
    until: {
      title: 'Until',
      type: 'string',
      minLength: 1,
      description:
        'When the member leaves the list: a date such as 2026-12-01, which ends at 24:00 UTC, or a time with a zone such as 2026-12-01T18:00:00Z.',
    },
  },
};

// The schema of a list whose members may be written with an end time.
function withEnds({ items, ...schema }: JsonObject, trait: Json | undefined): JsonObject {
  const isEndable = isObject(trait) && trait.ends !== undefined && items !== undefined;
  if (items === undefined) return schema;
  return { ...schema, items: isEndable ? { anyOf: [items, MEMBER_THAT_ENDS] } : items };
}

// Keywords whose values are not schemas, even if they look like schemas.
const HOLDS_VALUES = new Set(['default', 'examples', 'enum', 'const', 'required']);

function inside(value: Json, prefix: string): Json {
  if (isList(value)) return value.map(item => inside(item, prefix));
  return isObject(value) ? forEditors(value, prefix) : value;
}

function propertiesForEditors(properties: JsonObject, prefix: string): JsonObject {
  const entries = Object.entries(properties).map(([name, value]): [string, Json] => {
    if (!isObject(value)) return [name, value];
    const isField = value.type !== undefined || value.$ref !== undefined || isList(value.anyOf);
    return [name, { ...(isField && { title: titleOf(name) }), ...forEditors(value, prefix) }];
  });
  return Object.fromEntries(entries);
}

function titleOf(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const ABOUT = new Set(['title', 'description', 'default', 'examples', 'deprecated']);
const NARROWS_TEXT = ['enum', 'const', 'pattern', 'maxLength'];

// The schema of a text that may also refer to an external value. Applies to texts with a required format, and to texts that a
// condition tests.
function forOutside(schema: JsonObject): JsonObject {
  if (isObject(schema.if)) return { ...schema, if: onlyWhenKnown(schema.if) };
  if (schema.type !== 'string') return orFilled(schema);
  if (!NARROWS_TEXT.some(name => name in schema)) return schema;
  const entries = Object.entries(schema);
  return {
    ...Object.fromEntries(entries.filter(([name]) => ABOUT.has(name))),
    anyOf: [Object.fromEntries(entries.filter(([name]) => !ABOUT.has(name))), TAKES_OUTSIDE],
  };
}

function onlyWhenKnown(condition: JsonObject): JsonObject {
  const unknown = [...fieldsLookedAt(condition)].map(name => ({
    required: [name],
    properties: { [name]: TAKES_OUTSIDE },
  }));
  return { allOf: [condition, { not: { anyOf: unknown } }] };
}
