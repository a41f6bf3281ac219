// The required and forbidden fields of an object, including conditional ones: the fields that it lacks, and the fields that it
// must not have.
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { JsonObject } from '../model/value.ts';
import type { Kind } from './kind.ts';
import { shippedSchemaCheck } from './shippedChecks.ts';

/** Violations of the schema of a kind by the presence or absence of whole fields. */
export interface MissingOrForbidden {
  /** The missing fields. If one of several alternatives is required, all of them. */
  readonly missing: readonly string[];
  /** Fields that the others exclude. */
  readonly forbidden: readonly string[];
}

/** The violations of an object with these fields. Values are ignored, because they may be keys and secrets. */
export function missingOrForbidden({ schema }: Kind, fields: JsonObject): MissingOrForbidden {
  const validate = shippedSchemaCheck(schema);
  const errors = validate(fields) ? [] : (validate.errors ?? []);
  const missing = errors.flatMap(({ keyword, instancePath, params }) =>
    keyword === 'required' && instancePath === '' ? String(params.missingProperty) : [],
  );
  return {
    missing: [...new Set(missing)],
    forbidden: [...new Set(errors.flatMap(error => forbiddenBy(error)))],
  };
}

function forbiddenBy({ keyword, instancePath }: ErrorObject): string[] {
  const [, name = '', ...inside] = instancePath.split('/');
  return keyword === 'not' && name !== '' && inside.length === 0 ? [name] : [];
}
