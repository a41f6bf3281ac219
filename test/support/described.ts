// Whether a document has what its shipped schema describes, and nothing else.
import { expect } from 'vitest';
import { shippedSchema } from '../../src/kinds/registry.ts';
import { schemaCompiler } from '../../src/kinds/schema/keywords.ts';
import { isList, isObject, type Json } from '../../src/model/value.ts';

/** Fails unless the text is such a document. A field that the schema does not name fails too, though readers must allow it. */
export function expectDescribed(text: string, schema: string): void {
  const isDescribed = schemaCompiler().compile(closed(shippedSchema(schema) as Json) as object);
  expect(isDescribed(JSON.parse(text)), JSON.stringify(isDescribed.errors)).toBe(true);
}

function closed(schema: Json): Json {
  if (isList(schema)) return schema.map(closed);
  if (!isObject(schema)) return schema;
  const inside = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, closed(value)]),
  );
  return isObject(schema.properties) && schema.additionalProperties === undefined
    ? { ...inside, additionalProperties: false }
    : inside;
}
