// Trees that are moved to another place, together with the positions where they are written.

import type { SourceNode } from '../yaml/node.ts';
import type { Tree } from '../yaml/tree.ts';
import type { Placed } from './merge.ts';

/** A tree, and where it is written. */
export const placed = (node: SourceNode): Placed => {
  const from = node.tree.from ?? node.written([]);
  return { tree: node.tree, from };
};

/** The members of a list, as nodes. */
export const itemsOf = (list: SourceNode): readonly SourceNode[] =>
  [...(list.tree.parts?.keys() ?? [])].map(i => list.inside([i]));

/** A tree that carries the position where it is written. */
export const movable = (node: SourceNode): Tree => ({ ...node.tree, from: placed(node).from });

/** The order of the layer in which a value is written; 0 if the run has only one layer. */
export const orderOf = (node: SourceNode): number => node.written([]).origin.layer?.order ?? 0;
