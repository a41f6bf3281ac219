// What the bundled program computes when it is built: the shipped kinds, checked, and the checks of shipped schemas, compiled. This
// file is for everything else, and computes when it is asked; `packaging/ahead.ts` writes what stands in its place in the bundle.
import type { ValidateFunction } from 'ajv';
import type { JsonObject } from '../../model/value.ts';
import { shippedSchemaCompiler } from './keywords.ts';

/** The schemas of the shipped kinds, in the order of their files, where the build has read and checked them. */
export const CHECKED_KINDS: readonly JsonObject[] | null = null;

/** The check of a shipped schema. `name` finds it in the bundle; it is null for a schema that a program brought. */
export function compiledCheck(_name: string | null, schema: () => JsonObject): ValidateFunction {
  return shippedSchemaCompiler().compile(schema());
}
