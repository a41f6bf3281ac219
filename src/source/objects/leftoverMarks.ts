// Objects that are still marked to change or omit an object after all layers are joined: no earlier layer has that object.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { nothingThere } from '../layers/layerFaults.ts';
import { nameOf } from '../layers/layerIdentity.ts';
import { isMarked } from '../layers/marks.ts';
import type { Located } from './locate.ts';

/**
 * The objects without marked ones and the objects nested in these. `isCut`: the object to change may be in a part of the files
 * that could not be read.
 */
export function withoutMarked(
  located: readonly Located[],
  isCut: boolean,
): { readonly objects: readonly Located[]; readonly diagnostics: readonly Diagnostic[] } {
  const marked = located.filter(({ node }) => isMarked(node.tree));
  if (marked.length === 0) return { objects: located, diagnostics: [] };
  const gone = new Set(marked);
  const objects = located.filter(one => {
    if (one.parent && gone.has(one.parent)) gone.add(one);
    return !gone.has(one);
  });
  const faults = marked.map(({ kind, node }) => nothingThere(kind, nameOf(kind, node.tree), node));
  return { objects, diagnostics: isCut ? [] : faults };
}
