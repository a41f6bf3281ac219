// The kinds of a run, and the reader that checks files against them.

import type { KindTable } from '../kinds/kind.ts';
import { readKinds } from '../kinds/registry.ts';
import { readerOf, type SourceReader } from '../source/load.ts';

/** The kinds, and a reader that validates files against them. */
export interface Schemas {
  readonly kinds: KindTable;
  readonly reader: SourceReader;
}

/** Creates the schemas of these kinds; if `kinds` is absent, of the kinds that meshform ships. */
export function loadSchemas(kinds: KindTable = readKinds()): Schemas {
  const known = loaded.get(kinds) ?? { kinds, reader: readerOf(kinds) };
  loaded.set(kinds, known);
  return known;
}

// A fleet reads the files of hundreds of accounts, so the schemas are compiled only once.
const loaded = new WeakMap<KindTable, Schemas>();
