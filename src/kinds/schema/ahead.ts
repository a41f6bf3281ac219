// The values that the build computes for the bundled program: the checked schemas of the shipped kinds, and the compiled checks
// of shipped schemas. Without the bundle, this file computes them on demand. In the bundle, `packaging/ahead.ts` writes the
// replacement of this file.
import type { ValidateFunction } from 'ajv';
import type { JsonObject } from '../../model/value.ts';
import { shippedSchemaCompiler } from './keywords.ts';

/** The schemas of the shipped kinds, in the order of their files. Null, unless the build has read and checked them. */
export const CHECKED_KINDS: readonly JsonObject[] | null = null;

/**
 * The check of a schema. In the bundle, `name` identifies the check of a shipped schema; it is null for a schema from another
 * program.
 */
export function compiledCheck(_name: string | null, schema: () => JsonObject): ValidateFunction {
  return shippedSchemaCompiler().compile(schema());
}
