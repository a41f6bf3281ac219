// Desired state for a test, from YAML text.
import { readKinds, shippedSchema } from '../../src/kinds/registry.ts';
import type { Desired } from '../../src/model/object.ts';
import { type Loaded, sourceReader } from '../../src/source/load.ts';
import type { Inputs } from '../../src/source/values/externalInputs.ts';

/** The shipped kinds, read once for all tests of a file. */
export const KINDS = readKinds();

const reader = sourceReader(KINDS, shippedSchema('lifecycle.schema.json'));

const NOTHING_OUTSIDE: Inputs = { env: () => undefined, file: () => undefined, vars: new Map() };

/** What one file of this text declares, and what is wrong with it. */
export function load(text: string, inputs: Inputs = NOTHING_OUTSIDE): Loaded {
  return reader.read([{ file: 'network.yaml', text }], inputs);
}

/** What several files declare together. */
export function loadFiles(texts: Readonly<Record<string, string>>, strict = false): Loaded {
  const sources = Object.entries(texts).map(([file, text]) => ({ file, text }));
  return reader.read(sources, NOTHING_OUTSIDE, { strict });
}

/** What a text declares that has no fault. Throws with the findings where it has one. */
export function desiredOf(text: string): readonly Desired[] {
  const { desired, diagnostics } = load(text);
  const faults = diagnostics.filter(({ severity }) => severity === 'error');
  if (faults.length > 0)
    throw new Error(faults.map(({ code, message }) => `${code}: ${message}`).join('\n'));
  return desired;
}
