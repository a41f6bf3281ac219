// Files that a layer names are in it. What a plan records names them from the folder of the run.
import type { Inputs } from './inputs.ts';
import { referenceText, withReferences } from './reference.ts';

/** The inputs of what is written in a layer, by the path of its folder from that of the run; '' for the last layer. */
export const inputsIn = (layer: string, inputs: Inputs): Inputs =>
  layer === '' ? inputs : { ...inputs, layer, ...inputs.inLayer?.(layer) };

/** A text of a secret that is written in a layer, with its files named from the folder of the run. */
export function fromRun(text: string, layer: string | undefined): string {
  if (layer === undefined) return text;
  return withReferences(text, reference => {
    const { source, name } = reference;
    const isFile = (source === 'file' || source === 'sops') && name !== '';
    return referenceText(isFile ? { ...reference, name: `${layer}/${name}` } : reference);
  });
}

/** The layer that a file is in, by its path from the folder of the run; undefined for the last one. */
export const layerOf = (file: string, layers: readonly string[] = []): string | undefined =>
  layers
    .filter(layer => file.startsWith(`${layer}/`))
    .sort((a, b) => b.length - a.length)
    .at(0);
