// Adds new objects to the lists of files: to a list of children inside an object, or to the list of a kind.
import { isMap, isSeq, type Node, Pair, Scalar, type YAMLMap, YAMLSeq } from 'yaml';
import type { KindTable } from '../kinds/kind.ts';
import { isExtending } from '../source/inherited.ts';
import { addItems } from './files.ts';
import type { Exported } from './model.ts';
import { insert } from './yaml/edit.ts';
import { childLists, isTall, objectNode } from './yaml/nodes.ts';

/**
 * Adds the new children of an object to its text. Returns the keys of lists that the object takes from a template: nothing is
 * added to these, because a list in the object itself would replace the template's list.
 */
export function addChildren(
  map: YAMLMap,
  object: Exported,
  { isNew, kinds }: { readonly isNew: (child: Exported) => boolean; readonly kinds: KindTable },
): readonly string[] {
  const order = [
    ...object.kind.shape.fields.keys(),
    ...childLists(object, kinds).map(([key]) => key),
  ];
  const replaced: string[] = [];
  for (const [key, children] of childLists(object, kinds)) {
    const fresh = children.filter(isNew);
    if (fresh.length === 0) continue;
    const found = map.get(key);
    if (isExtending(map) && !map.has(key) && fresh.length < children.length) {
      replaced.push(key);
      continue;
    }
    const list = isSeq(found) ? found : new YAMLSeq();
    if (!isSeq(found)) {
      map.delete(key);
      insert(map, new Pair<Scalar, Node>(new Scalar(key), list), order);
    }
    addNodes(list, fresh, kinds);
  }
  return replaced;
}

/** Adds objects to a list. */
export function addNodes(list: YAMLSeq, objects: readonly Exported[], kinds: KindTable): void {
  const nodes = objects.map(object => objectNode(object, kinds));
  if (list.items.length === 0) {
    list.flow = false;
    addItems(list, nodes);
    return;
  }
  // New entries follow the layout of the list: with blank lines between entries, or without.
  const isSpaced =
    list.items.length === 1
      ? nodes.some(isTall)
      : list.items.filter(isSpacedOut).length * 2 >= list.items.length - 1;
  for (const node of nodes) {
    if (isSpaced && list.flow !== true) node.spaceBefore = true;
    list.items.push(node);
  }
}

const isSpacedOut = (node: unknown): boolean => isMap(node) && node.spaceBefore === true;
