// The values that the bundled program computes at build time: the shipped kinds, checked, and the compiled checks of shipped
// schemas. Without the bundle, this file computes them on demand; `packaging/ahead.ts` writes its replacement in the bundle.
import type { ValidateFunction } from 'ajv';
import type { JsonObject } from '../../model/value.ts';
import { shippedSchemaCompiler } from './keywords.ts';

/** The schemas of the shipped kinds, in the order of their files, where the build has read and checked them. */
export const CHECKED_KINDS: readonly JsonObject[] | null = null;

/** The check of a shipped schema. `name` finds it in the bundle; it is null for a schema that a program brought. */
export function compiledCheck(_name: string | null, schema: () => JsonObject): ValidateFunction {
  return shippedSchemaCompiler().compile(schema());
}
