// The kinds that meshform ships: read once from `schemas/kinds`, their traits checked, frozen.
import { readdirSync, readFileSync } from 'node:fs';
import { InvariantError } from '../model/errors.ts';
import type { JsonObject } from '../model/value.ts';
import type { KindTable } from './kind.ts';
import { languageFaults } from './language/check.ts';
import { kindTable } from './schema/table.ts';

const SCHEMAS = new URL('../../schemas/', import.meta.url);

/** Reads a JSON Schema that is shipped with meshform, by its path under `schemas/`. */
export function shippedSchema(path: string): JsonObject {
  return JSON.parse(readFileSync(new URL(path, SCHEMAS), 'utf8'));
}

/** The kind table of the schemas in `folder`. Throws an `InvariantError` with every fault in them, each with its file. */
export function readKinds(folder: URL = new URL('kinds/', SCHEMAS)): KindTable {
  const files = readdirSync(folder).filter(name => name.endsWith('.schema.json'));
  const schemas = new Map<string, JsonObject>(
    files.sort().map(name => [name, JSON.parse(readFileSync(new URL(name, folder), 'utf8'))]),
  );
  const faults = languageFaults(schemas).map(fault => `the kind schema ${fault}`);
  if (faults.length > 0) throw new InvariantError(faults.join('\n'));
  return kindTable([...schemas.values()]);
}
