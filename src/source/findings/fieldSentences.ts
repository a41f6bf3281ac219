// Sentences about the fields of an object: unknown fields, read-only fields, missing fields.
import { objectIn } from '../../kinds/lookup.ts';
import { shapeAt } from '../../kinds/values/shapeAt.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { quotedBriefly } from '../sentenceWords.ts';
import type { Mistake, Sentence } from './mistake.ts';

/** The sentence about a key that is not in the schema of the object. */
export function unknownField(mistake: Mistake): Sentence {
  const { error } = mistake;
  const key = String(error.params.additionalProperty);
  const holder = holderOf(mistake);
  if (holder?.fields.get(key)?.readOnly) {
    const message = `${quotedBriefly(key)} is set by the server`;
    return { code: 'SCHEMA_READ_ONLY', message, hint: 'remove it', key };
  }
  const known = fieldsOf(error.parentSchema as JsonObject);
  const inner = [...(holder?.fields.values() ?? [])].find(
    field => !field.readOnly && objectIn(field.shape)?.fields.has(key),
  );
  const hint = inner
    ? `write it inside ${quotedBriefly(inner.name)}`
    : (didYouMean(key, known) ?? `allowed here: ${known.sort().join(', ')}`);
  return {
    code: 'SCHEMA_UNKNOWN_FIELD',
    message: `unknown field ${quotedBriefly(key)}`,
    hint,
    key,
  };
}

/** The sentence about a missing field. */
export function missingField(mistake: Mistake): Sentence {
  const { error } = mistake;
  const name = String(error.params.missingProperty);
  const { properties } = error.parentSchema as JsonObject;
  const field = holderOf(mistake)?.fields.get(name)?.schema;
  return {
    code: 'SCHEMA_MISSING_FIELD',
    message: `${quotedBriefly(name)} is missing`,
    hint: fieldHint(name, field ?? (isObject(properties) ? properties[name] : undefined)),
  };
}

function fieldHint(name: string, schema: Json | undefined): string | undefined {
  if (!isObject(schema)) return undefined;
  if (isList(schema.enum)) return `${name} is one of: ${schema.enum.join(', ')}`;
  return typeof schema.description === 'string' ? `${name}: ${schema.description}` : undefined;
}

/** The names of the fields in the schema of an object. */
export function fieldsOf({ properties }: JsonObject): string[] {
  return Object.keys(isObject(properties) ? properties : {});
}

function holderOf({ shape, path }: Mistake) {
  const holder = shapeAt(shape, path);
  return holder?.type === 'object' ? holder : undefined;
}
