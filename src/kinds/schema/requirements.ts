// What the API requires of an object's own fields, conditions included: which it lacks, and which it may not have.
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { JsonObject } from '../../model/value.ts';
import type { Kind } from '../kind.ts';
import { shippedSchemaCheck } from './shippedChecks.ts';

/** How the fields of an object break its kind's schema, as far as whole fields go. */
export interface Misfits {
  /** Fields that must be there and are not; of several that exclude each other, all. */
  readonly missing: readonly string[];
  /** Fields that must not be there beside the others. */
  readonly forbidden: readonly string[];
}

/** The misfits of an object with these fields. Values are not looked at: they may be keys and secrets. */
export function misfits({ schema }: Kind, fields: JsonObject): Misfits {
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
