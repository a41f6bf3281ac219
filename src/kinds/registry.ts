// The kinds that meshform ships: read once from `schemas/kinds`, their traits checked, frozen.
import { readdirSync, readFileSync } from 'node:fs';
import { InvariantError } from '../model/errors.ts';
import type { JsonObject } from '../model/value.ts';
import type { KindTable } from './kind.ts';
import { houseKeywordCheck } from './schema/keywords.ts';
import { kindTable } from './schema/table.ts';

const SCHEMAS = new URL('../../schemas/', import.meta.url);

// Shipped files do not change while a process runs.
const schemas = new Map<string, JsonObject>();
let shippedKinds: KindTable | undefined;

/** A JSON Schema that is shipped with meshform, by its path under `schemas/`; read once, the same object each time. */
export function shippedSchema(path: string): JsonObject {
  const schema = schemas.get(path) ?? JSON.parse(readFileSync(new URL(path, SCHEMAS), 'utf8'));
  schemas.set(path, schema);
  return schema;
}

/**
 * The kind table of the schemas in `folder`; the shipped kinds, read once, where none is given.
 * Throws an `InvariantError` that names the file of a bad trait.
 */
export function readKinds(folder?: URL): KindTable {
  if (folder !== undefined) return kindsIn(folder);
  shippedKinds ??= kindsIn(new URL('kinds/', SCHEMAS));
  return shippedKinds;
}

function kindsIn(folder: URL): KindTable {
  const check = houseKeywordCheck();
  const files = readdirSync(folder).filter(name => name.endsWith('.schema.json'));
  return kindTable(
    files.sort().map(name => {
      const schema: JsonObject = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
      try {
        check(schema);
      } catch (error) {
        const fault = error instanceof InvariantError ? error.message : String(error);
        throw new InvariantError(`the kind schema ${name}: ${fault}`, { cause: error });
      }
      return schema;
    }),
  );
}
