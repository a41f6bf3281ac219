// The kinds that meshform ships: read once from `schemas/kinds`, their traits checked, frozen.
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { InvariantError } from '../model/errors.ts';
import type { JsonObject } from '../model/value.ts';
import { shippedFiles, shippedText } from '../shipped.ts';
import type { KindTable } from './kind.ts';
import { languageFaults } from './language/check.ts';
import { CHECKED_KINDS } from './schema/ahead.ts';
import { kindTable } from './schema/table.ts';

/** The schema of `lifecycle`, under `schemas/`. */
export const LIFECYCLE_SCHEMA = 'lifecycle.schema.json';

// Schemas are cached, because shipped files do not change while a process runs.
const schemas = new Map<string, JsonObject>();
let shippedKinds: KindTable | undefined;

/** A JSON Schema that meshform ships, by its path under `schemas/`. It is read once, and the result is always the same object. */
export function shippedSchema(path: string): JsonObject {
  const schema = schemas.get(path) ?? JSON.parse(shippedText(`schemas/${path}`));
  schemas.set(path, schema);
  return schema;
}

/**
 * The kind table of the schemas in `folder`. Without `folder`, the shipped kinds, which are read only once. Throws an
 * `InvariantError` that lists every fault in the schemas with its file.
 */
export function readKinds(folder?: URL): KindTable {
  if (folder !== undefined)
    return kindTable(
      checked(readdirSync(folder).sort(), name => readFileSync(new URL(name, folder), 'utf8')),
    );
  shippedKinds ??= CHECKED_KINDS ? kindTable(CHECKED_KINDS) : kindTable(shippedKindSchemas());
  return shippedKinds;
}

/** Whether these are the shipped kinds, as `readKinds` returns them. */
export const areShipped = (kinds: KindTable): boolean => kinds === shippedKinds;

/** The path of a schema that `shippedSchema` returned; null for any other schema. */
export function shippedPath(schema: JsonObject): string | null {
  return [...schemas].find(([, given]) => given === schema)?.[0] ?? null;
}

/** The schemas of the kinds in `schemas/kinds`, in the order of their files. Throws the same errors as `readKinds`. */
export function shippedKindSchemas(): readonly JsonObject[] {
  return checked(shippedFiles('schemas/kinds'), shippedText);
}

function checked(
  paths: readonly string[],
  textOf: (path: string) => string,
): readonly JsonObject[] {
  const schemas = new Map<string, JsonObject>(
    paths
      .filter(path => path.endsWith('.schema.json'))
      .map(path => [posix.basename(path), JSON.parse(textOf(path))]),
  );
  const faults = languageFaults(schemas).map(fault => `the kind schema ${fault}`);
  if (faults.length > 0) throw new InvariantError(faults.join('\n'));
  return [...schemas.values()];
}
