// The files that a layer names are in the folder of the layer. A plan records their paths from the folder of the run.
import type { Inputs } from './externalInputs.ts';
import { referenceText, withReferences } from './reference.ts';

/** The inputs of a layer. `layer`: the path from the folder of the run to the folder of the layer; '' for the last layer. */
export const inputsIn = (layer: string, inputs: Inputs): Inputs =>
  layer === '' ? inputs : { ...inputs, layer, ...inputs.inLayer?.(layer) };

/** A text of a secret in a layer, in which the paths of files start at the folder of the run. */
export function fromRun(text: string, layer: string | undefined): string {
  if (layer === undefined) return text;
  return withReferences(text, reference => {
    const { source, name } = reference;
    const isFile = (source === 'file' || source === 'sops') && name !== '';
    return referenceText(isFile ? { ...reference, name: `${layer}/${name}` } : reference);
  });
}

/** The layer of a file, given the path from the folder of the run; undefined for the last layer. */
export const layerOf = (file: string, layers: readonly string[] = []): string | undefined =>
  layers
    .filter(layer => file.startsWith(`${layer}/`))
    .sort((a, b) => b.length - a.length)
    .at(0);
