// Finds the required fields that an object lacks, and the forbidden fields that it has, including fields that are required or
// forbidden only under a condition.
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { JsonObject } from '../model/value.ts';
import type { Kind } from './kind.ts';
import { shippedSchemaCheck } from './shippedChecks.ts';

/** Whole fields that violate the schema of a kind by being missing or present. */
export interface MissingOrForbidden {
  /** The missing fields. If one of several fields is required, all of them. */
  readonly missing: readonly string[];
  /** Fields that the other fields of the object exclude. */
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
