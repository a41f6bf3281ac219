// Objects that are still marked to change or omit an object after all layers are joined: no earlier layer has that object.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { nothingThere } from '../layers/layerFaults.ts';
import { nameOf } from '../layers/layerIdentity.ts';
import { isMarked } from '../layers/marks.ts';
import type { Located } from './locate.ts';

/**
 * The objects that are neither marked nor nested in a marked object, and an error for each marked
 * object. `isCut`: a part of the files could not be read. It may contain the missing objects, so
 * there are no errors.
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
