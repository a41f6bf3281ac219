// Ajv with meshform's keywords and formats. A schema with a misspelt keyword or format does not compile.
import type { CodeOptions } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { FORMATS } from './formats.ts';

// Options for shipped schemas. Validating schemas against the meta-schemas and optimising the
// generated code take ten times as long as the rest of a compilation. Tests validate the shipped
// schemas, and a single run is too short to benefit from optimised code.
const QUICK = {
  validateSchema: false,
  meta: false,
  inlineRefs: false,
  // No messages from Ajv: they are in `constraintWords.ts`.
  messages: false,
  code: { optimize: false },
} as const;
const EVERY_ERROR = { allErrors: true, verbose: true, strictTypes: false } as const;

/** A JSON Schema compiler that knows `x-kind`, `x-trait` and the formats of `formats.ts`, and reports every error. */
export function schemaCompiler(): Ajv2020 {
  return withHouseWords(new Ajv2020(EVERY_ERROR));
}

/**
 * A compiler for shipped schemas. It does not validate them, and takes a tenth of the time. `code` are the options of the
 * generated code.
 */
export function shippedSchemaCompiler(code: CodeOptions = QUICK.code): Ajv2020 {
  return withHouseWords(new Ajv2020({ ...EVERY_ERROR, ...QUICK, code }));
}

// The values of these keywords are checked in `kinds/language`.
function withHouseWords(ajv: Ajv2020): Ajv2020 {
  for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format.holds);
  return ajv.addVocabulary(['x-kind', 'x-trait']);
}
