// Lists of named objects inside an object, such as the rules of a policy: they are merged by name.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { quotedBriefly } from '../sentenceWords.ts';
import { isMapping, mergedTree } from '../templates/merge.ts';
import { itemsOf, movable, placed } from '../templates/movedTrees.ts';
import type { SourceNode } from '../yaml/node.ts';
import { listParts, mapParts, type Tree } from '../yaml/tree.ts';
import { noItem } from './layerFaults.ts';
import { OMIT } from './marks.ts';

/** Whether an item or a child omits the item or child of an earlier layer with the same name. */
export const isOmitted = ({ parts }: Tree): boolean => parts?.get(OMIT)?.value === true;

/** The items of a list of an earlier layer, merged with the items of a later layer. `by`: the field that names an item. */
export function itemsMerged(
  { under, over }: { readonly under: SourceNode; readonly over: SourceNode },
  by: string,
  diagnostics: Diagnostic[],
): Tree {
  const slots: (Tree | null)[] = itemsOf(under).map(movable);
  const nodes = itemsOf(under);
  for (const item of itemsOf(over)) {
    const name = keyIn(item.tree, by);
    const at =
      name === null ? -1 : slots.findIndex(slot => slot !== null && keyIn(slot, by) === name);
    const below = nodes[at];
    if (isOmitted(item.tree)) {
      if (at < 0) diagnostics.push(noItem(`an item ${quotedBriefly(name ?? '')}`, item, [OMIT]));
      else slots[at] = null;
    } else if (below)
      slots[at] = mergedTree(placed(below), { ...plain(item.tree), from: placed(item).from });
    else slots.push(movable(item.withTree(plain(item.tree))));
  }
  const { tree, from } = placed(over);
  return { ...tree, ...listParts(slots.filter(slot => slot !== null)), from };
}

// `omit: false` has no effect and is removed, because items have no field with that name.
function plain(tree: Tree): Tree {
  if (tree.parts?.get(OMIT)?.value !== false) return tree;
  const parts = new Map(tree.parts);
  parts.delete(OMIT);
  return { ...tree, ...mapParts(parts) };
}

function keyIn(tree: Tree, by: string): string | null {
  const name = isMapping(tree) ? tree.parts.get(by)?.value : undefined;
  return typeof name === 'string' ? name : null;
}
