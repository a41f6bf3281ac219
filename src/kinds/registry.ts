// The kinds that meshform ships: read once from `schemas/kinds`, their traits checked, frozen.
import { readdirSync, readFileSync } from 'node:fs';
import { InvariantError } from '../model/errors.ts';
import type { JsonObject } from '../model/value.ts';
import type { KindTable } from './kind.ts';
import { languageFaults } from './language/check.ts';
import { kindTable } from './schema/table.ts';

const SCHEMAS = new URL('../../schemas/', import.meta.url);

// Shipped files do not change while a process runs.
const schemas = new Map<string, JsonObject>();
let shippedKinds: KindTable | undefined;

/** A JSON Schema that meshform ships, by its path under `schemas/`; read once, always the same object. */
export function shippedSchema(path: string): JsonObject {
  const schema = schemas.get(path) ?? JSON.parse(readFileSync(new URL(path, SCHEMAS), 'utf8'));
  schemas.set(path, schema);
  return schema;
}

/**
 * The kind table of the schemas in `folder`; the shipped kinds, read once, where none is given.
 * Throws an `InvariantError` with every fault in them, each with its file.
 */
export function readKinds(folder?: URL): KindTable {
  if (folder !== undefined) return kindsIn(folder);
  shippedKinds ??= kindsIn(new URL('kinds/', SCHEMAS));
  return shippedKinds;
}

function kindsIn(folder: URL): KindTable {
  const files = readdirSync(folder).filter(name => name.endsWith('.schema.json'));
  const schemas = new Map<string, JsonObject>(
    files.sort().map(name => [name, JSON.parse(readFileSync(new URL(name, folder), 'utf8'))]),
  );
  const faults = languageFaults(schemas).map(fault => `the kind schema ${fault}`);
  if (faults.length > 0) throw new InvariantError(faults.join('\n'));
  return kindTable([...schemas.values()]);
}
