// Checks the schema of a kind against the schema language. Each fault is a sentence with its place in the file.
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { FIELD_WORDS } from './fieldWords.ts';
import { type SchemaFacts, type SchemaPosition, unfit } from './form.ts';
import { KIND_WORDS, REQUIRED_KIND_WORDS } from './kindWords.ts';
import { entryFaults } from './record.ts';
import type { Words } from './schemaWord.ts';

/** The faults of meshform's keywords in these schemas, by schema. */
export function languageFaults(schemas: ReadonlyMap<string, JsonObject>): readonly string[] {
  const kinds = new Map([...schemas.values()].map(schema => [kindOf(schema), pointers(schema)]));
  return [...schemas].flatMap(([file, schema]) => {
    const faults = schemaFaults(schema, { kinds, kind: kindOf(schema) });
    return faults.map(fault => `${file}: ${fault}`);
  });
}

function schemaFaults(schema: JsonObject, around: SchemaFacts): readonly string[] {
  const trait = schema['x-kind'];
  if (trait === undefined) return ['the schema must have `x-kind`'];
  return [...kindFaults(trait, around), ...fieldFaults(schema, '', around)];
}

function kindFaults(trait: Json, around: SchemaFacts): readonly string[] {
  const optional = Object.keys(KIND_WORDS).filter(
    name => !REQUIRED_KIND_WORDS.some(required => required === name),
  );
  const faults = wordFaults(trait, { words: KIND_WORDS, optional }, '/x-kind', around);
  if (!isObject(trait)) return faults;
  const isSingleton = trait.cardinality === 'singleton' || trait.cardinality === 'sole';
  return [
    ...faults,
    ...(isSingleton || trait.identity !== undefined
      ? []
      : ['/x-kind must have `identity`, because the kind is not a singleton']),
  ];
}

// The faults of field words, at any depth, because schemas contain schemas.
function fieldFaults(value: Json, path: string, around: SchemaFacts): readonly string[] {
  if (isList(value)) return value.flatMap((one, i) => fieldFaults(one, `${path}/${i}`, around));
  if (!isObject(value)) return [];
  const optional = Object.keys(FIELD_WORDS);
  const trait = value['x-trait'];
  return [
    ...(trait === undefined
      ? []
      : wordFaults(trait, { words: FIELD_WORDS, optional }, `${path}/x-trait`, around)),
    ...Object.entries(value).flatMap(([name, inner]) =>
      name.startsWith('x-') ? [] : fieldFaults(inner, `${path}/${name}`, around),
    ),
  ];
}

function wordFaults(
  trait: Json,
  { words, optional }: { readonly words: Words; readonly optional: readonly string[] },
  path: string,
  around: SchemaFacts,
): readonly string[] {
  const position: SchemaPosition = {
    ...around,
    path,
    beside: {},
    keyword: isObject(trait) ? trait : {},
  };
  if (!isObject(trait) || Object.keys(trait).length === 0)
    return [unfit(trait, position, 'an object, not empty')];
  const entries = Object.fromEntries(Object.entries(words).map(([name, { form }]) => [name, form]));
  return entryFaults(trait, { entries, optional }, position);
}

function kindOf(schema: JsonObject): string {
  return isObject(schema['x-kind']) ? String(schema['x-kind'].name) : '';
}

// The fields of a kind, each with the kind to which it points.
function pointers(schema: JsonObject): ReadonlyMap<string, string | undefined> {
  const properties = isObject(schema.properties) ? schema.properties : {};
  return new Map(
    Object.entries(properties).map(([name, field]) => {
      const trait = isObject(field) && isObject(field['x-trait']) ? field['x-trait'] : {};
      return [name, typeof trait.ref === 'string' ? trait.ref : undefined];
    }),
  );
}
