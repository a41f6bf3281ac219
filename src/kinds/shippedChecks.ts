// The checks of schemas. In the bundle, the checks of shipped schemas are already compiled.
import type { ValidateFunction } from 'ajv';
import type { JsonObject } from '../model/value.ts';
import type { Kind, KindTable } from './kind.ts';
import { areShipped, LIFECYCLE_SCHEMA, readKinds, shippedPath, shippedSchema } from './registry.ts';
import { compiledCheck } from './schema/ahead.ts';
import { objectSchema } from './schema/objectSchema.ts';

const checks = new WeakMap<JsonObject, ValidateFunction>();

/** The check of a schema that `shippedSchema` returns, or of a kind's own schema. The check is compiled on first use. */
export function shippedSchemaCheck(schema: JsonObject): ValidateFunction {
  const check = checks.get(schema) ?? compiledCheck(nameOf(schema), () => schema);
  checks.set(schema, check);
  return check;
}

/** The check of declared objects of one kind. */
export function objectSchemaCheck(
  kind: Kind,
  kinds: KindTable,
  lifecycle: JsonObject,
): ValidateFunction {
  const isShipped = areShipped(kinds) && lifecycle === shippedSchema(LIFECYCLE_SCHEMA);
  const name = isShipped ? objectCheckName(kind) : null;
  return compiledCheck(name, () => objectSchema(kind, kinds, lifecycle));
}

function nameOf(schema: JsonObject): string | null {
  const kind = [...readKinds().values()].find(one => one.schema === schema);
  return kind ? kindCheckName(kind) : shippedPath(schema);
}

/** The name of the check of a kind's own schema in the bundle. */
export const kindCheckName = ({ name }: Kind): string => `kind ${name}`;

/** The name of the check of objects of a kind in the bundle. */
export const objectCheckName = ({ name }: Kind): string => `object ${name}`;
