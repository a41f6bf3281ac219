// The values that the bundled program computes at build time: the checked schemas of the shipped kinds, and the compiled checks
// of shipped schemas. Outside of the bundle, this file computes them on demand; `packaging/ahead.ts` writes its replacement in
// the bundle.
import type { ValidateFunction } from 'ajv';
import type { JsonObject } from '../../model/value.ts';
import { shippedSchemaCompiler } from './keywords.ts';

/** The schemas of the shipped kinds, in the order of their files, if the build has read and checked them; null otherwise. */
export const CHECKED_KINDS: readonly JsonObject[] | null = null;

/**
 * The check of a schema. In the bundle, `name` identifies the check of a shipped schema; it is null for a schema from another
 * program.
 */
export function compiledCheck(_name: string | null, schema: () => JsonObject): ValidateFunction {
  return shippedSchemaCompiler().compile(schema());
}
