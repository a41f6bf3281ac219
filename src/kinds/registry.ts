// The kinds that meshform ships: read once from `schemas/kinds`, their traits checked, frozen.
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { InvariantError } from '../model/errors.ts';
import type { JsonObject } from '../model/value.ts';
import { shippedFiles, shippedText } from '../shipped.ts';
import type { KindTable } from './kind.ts';
import { languageFaults } from './language/check.ts';
import { kindTable } from './schema/table.ts';

// Shipped files do not change while a process runs.
const schemas = new Map<string, JsonObject>();
let shippedKinds: KindTable | undefined;

/** A JSON Schema that is shipped with meshform, by its path under `schemas/`; read once, the same object each time. */
export function shippedSchema(path: string): JsonObject {
  const schema = schemas.get(path) ?? JSON.parse(shippedText(`schemas/${path}`));
  schemas.set(path, schema);
  return schema;
}

/**
 * The kind table of the schemas in `folder`; the shipped kinds, read once, where none is given.
 * Throws an `InvariantError` with every fault in them, each with its file.
 */
export function readKinds(folder?: URL): KindTable {
  if (folder !== undefined)
    return kindsOf(readdirSync(folder).sort(), name => readFileSync(new URL(name, folder), 'utf8'));
  shippedKinds ??= kindsOf(shippedFiles('schemas/kinds'), shippedText);
  return shippedKinds;
}

function kindsOf(paths: readonly string[], textOf: (path: string) => string): KindTable {
  const schemas = new Map<string, JsonObject>(
    paths
      .filter(path => path.endsWith('.schema.json'))
      .map(path => [posix.basename(path), JSON.parse(textOf(path))]),
  );
  const faults = languageFaults(schemas).map(fault => `the kind schema ${fault}`);
  if (faults.length > 0) throw new InvariantError(faults.join('\n'));
  return kindTable([...schemas.values()]);
}
