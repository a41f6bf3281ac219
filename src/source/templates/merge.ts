// Merges trees by the rules of a JSON Merge Patch (RFC 7396): mappings merge, everything else replaces, and null removes.
import type { From } from '../yaml/origin.ts';
import { mapParts, type Tree } from '../yaml/tree.ts';

/** A tree, and where it is written. */
export interface Placed {
  readonly tree: Tree;
  readonly from: From;
}

/**
 * `over` merged into `under`. Each value keeps the position where it is written; the mapping itself
 * has the position of `over`. Without `under`, values that `over` removes are left out too. The
 * running time depends on `over` and on the mappings that both contain, not on the rest of `under`.
 */
export function mergedTree(under: Placed | undefined, over: Tree): Tree {
  return merge(under, over, false);
}

/**
 * Combines two patches into one: removals stay as null, and a mapping that replaces another type stays marked. Merging the result
 * is the same as merging one patch after the other.
 */
export function composed(under: Placed | undefined, over: Tree): Tree {
  return merge(under, over, true);
}

function merge(under: Placed | undefined, over: Tree, isPatch: boolean): Tree {
  if (!isMapping(over)) return over;
  const replaces = over.replaces ?? (under && (under.tree.replaces ?? !isMapping(under.tree)));
  const parts = new Map(under && !over.replaces ? placedParts(under) : []);
  let isSame = parts.size === 0;
  for (const [key, value] of over.parts) {
    const below = parts.get(key);
    const placed = below?.from && { tree: below, from: below.from };
    const isGone = isRemoval(value) && !isPatch;
    const part = isGone ? undefined : merge(placed, value, isPatch);
    isSame &&= part === value;
    if (part === undefined) parts.delete(key);
    else parts.set(key, part);
  }
  const whole = isSame ? over : { ...over, ...mapParts(parts) };
  return isPatch && replaces ? { ...whole, replaces } : whole;
}

/** The values of a mapping, each with the position where it is written, so that they can be used elsewhere. */
export function placedParts({ tree, from }: Placed): [string, Tree][] {
  if (!isMapping(tree)) return [];
  return [...tree.parts].map(([key, part]) => [
    key,
    part.from ? part : { ...part, from: { ...from, path: [...from.path, key] } },
  ]);
}

/**
 * An object that extends templates and changes an object of an earlier layer. A field that it
 * removes from its templates stays as null, so that the field is removed from the earlier object
 * too.
 */
export const asPatch = (under: Placed, over: Tree): Tree => ({
  ...composed(under, over),
  keepsRemovals: true,
});

/** The object without the removals that `asPatch` keeps: no earlier layer has an object that it could change. */
export function withoutRemovals(tree: Tree): Tree {
  if (!tree.keepsRemovals) return tree;
  const { keepsRemovals: _, ...whole } = mergedTree(undefined, tree);
  return whole;
}

interface Mapping extends Tree {
  readonly parts: ReadonlyMap<string, Tree>;
}

/** Whether a tree is a mapping that could be read. */
export function isMapping(tree: Tree | undefined): tree is Mapping {
  return tree?.parts !== undefined && !Array.isArray(tree.value);
}

// A value that could not be read is also null, but it is already reported and removes nothing.
const isRemoval = ({ value, isBroken }: Tree): boolean => value === null && !isBroken;
