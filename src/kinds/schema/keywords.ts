// Ajv with the house keywords and formats: a schema with a misspelt keyword, trait or format does not compile.
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { InvariantError } from '../../model/errors.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { KIND_KEYWORD, TRAIT_KEYWORD } from '../traits.ts';
import { FORMATS } from './formats.ts';

// Checking a schema against the meta-schemas, and polishing the code made of it, take ten times as long as the rest.
// What is shipped has been checked by tests; one run of it is over before polish pays.
const QUICK = {
  validateSchema: false,
  meta: false,
  inlineRefs: false,
  code: { optimize: false },
} as const;
const EVERY_ERROR = { allErrors: true, verbose: true, strictTypes: false } as const;

/** A JSON Schema compiler that knows `x-kind`, `x-trait` and the formats of `formats.ts`, and reports every error. */
export function schemaCompiler(): Ajv2020 {
  const ajv = withFormats(new Ajv2020(EVERY_ERROR));
  ajv.addKeyword({ keyword: 'x-kind', metaSchema: KIND_KEYWORD });
  ajv.addKeyword({ keyword: 'x-trait', metaSchema: TRAIT_KEYWORD });
  return ajv;
}

/** The same compiler for schemas that are shipped: it takes them as they are, and a tenth of the time. */
export function shippedSchemaCompiler(): Ajv2020 {
  return withFormats(new Ajv2020({ ...EVERY_ERROR, ...QUICK })).addVocabulary([
    'x-kind',
    'x-trait',
  ]);
}

const compiled = new WeakMap<JsonObject, ValidateFunction>();

/** The check of a shipped schema, compiled when it is first asked for. */
export function shippedSchemaCheck(schema: JsonObject): ValidateFunction {
  const check = compiled.get(schema) ?? shippedSchemaCompiler().compile(schema);
  compiled.set(schema, check);
  return check;
}

function withFormats(ajv: Ajv2020): Ajv2020 {
  for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format.holds);
  return ajv;
}

/**
 * A check of the house keywords alone, quick enough for every start.
 * It throws an `InvariantError` that says where the first fault is.
 */
export function houseKeywordCheck(): (schema: JsonObject) => void {
  const ajv = new Ajv2020({ ...QUICK, strictTypes: false });
  const rules = { 'x-kind': ajv.compile(KIND_KEYWORD), 'x-trait': ajv.compile(TRAIT_KEYWORD) };
  const visit = (value: Json, path: string): void => {
    if (isList(value)) for (const [i, item] of value.entries()) visit(item, `${path}/${i}`);
    if (!isObject(value)) return;
    for (const [name, rule] of Object.entries(rules)) {
      if (value[name] !== undefined && !rule(value[name])) {
        const dataVar = `${path}/${name}`;
        throw new InvariantError(ajv.errorsText(rule.errors, { dataVar }));
      }
    }
    for (const [name, item] of Object.entries(value)) {
      if (!name.startsWith('x-')) visit(item, `${path}/${name}`);
    }
  };
  return schema => visit(schema, '');
}
