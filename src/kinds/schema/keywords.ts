// Ajv with the house keywords and formats: a schema with a misspelt keyword or format does not compile.
import type { CodeOptions } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { FORMATS } from './formats.ts';

// Checking a schema against the meta-schemas, and polishing the code made of it, take ten times as long as the rest.
// What is shipped has been checked by tests; one run of it is over before polish pays.
const QUICK = {
  validateSchema: false,
  meta: false,
  inlineRefs: false,
  // What is wrong is said in `constraintWords.ts`.
  messages: false,
  code: { optimize: false },
} as const;
const EVERY_ERROR = { allErrors: true, verbose: true, strictTypes: false } as const;

/** A JSON Schema compiler that knows `x-kind`, `x-trait` and the formats of `formats.ts`, and reports every error. */
export function schemaCompiler(): Ajv2020 {
  return withHouseWords(new Ajv2020(EVERY_ERROR));
}

/** The same compiler for schemas that are shipped: it takes them as they are, and a tenth of the time. `code` is the form of the code. */
export function shippedSchemaCompiler(code: CodeOptions = QUICK.code): Ajv2020 {
  return withHouseWords(new Ajv2020({ ...EVERY_ERROR, ...QUICK, code }));
}

// What the house keywords say is checked by `kinds/language`.
function withHouseWords(ajv: Ajv2020): Ajv2020 {
  for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format.holds);
  return ajv.addVocabulary(['x-kind', 'x-trait']);
}
