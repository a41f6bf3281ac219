// The marks of an object for earlier layers: that it overrides an object of them, or omits it.
import { mapParts, type Tree } from '../yaml/tree.ts';

/** The key of the settings of an object that concern meshform. */
const LIFECYCLE = 'lifecycle';

/** Says that the object is merged into that of an earlier layer. */
export const OVERRIDE = 'override';

/** Says that the object, or an item of a list, of an earlier layer is taken out. */
export const OMIT = 'omit';

/** Settings that only a person may take away, in the layer that has them. */
export const GUARDS = ['protect', 'break_glass'] as const;

const settingsOf = (tree: Tree): ReadonlyMap<string, Tree> =>
  tree.parts?.get(LIFECYCLE)?.parts ?? new Map();

/** A setting of an object, if it is written. */
export const settingOf = (tree: Tree, name: string): Tree | undefined => settingsOf(tree).get(name);

/** Whether a setting of an object is true. */
export const isSet = (tree: Tree, name: string): boolean =>
  settingsOf(tree).get(name)?.value === true;

/** Whether two declarations of an object may mean two live objects, because their `lifecycle.id` differ. */
export const isBoundElse = (one: Tree, other: Tree): boolean =>
  settingOf(one, 'id')?.value !== settingOf(other, 'id')?.value;

/** Whether a setting protects an object. */
export const isGuarded = (tree: Tree): boolean => GUARDS.some(guard => isSet(tree, guard));

/** The place of a setting, for messages. */
export const settingPath = (name: string): readonly string[] => [LIFECYCLE, name];

/** An object without its marks for other layers. */
export function withoutMarks(tree: Tree): Tree {
  const kept = new Map(settingsOf(tree));
  kept.delete(OVERRIDE);
  kept.delete(OMIT);
  const parts = new Map(tree.parts);
  const lifecycle = parts.get(LIFECYCLE);
  if (lifecycle?.parts === undefined) return tree;
  if (kept.size === 0) parts.delete(LIFECYCLE);
  else parts.set(LIFECYCLE, { ...lifecycle, ...mapParts(kept) });
  return { ...tree, ...mapParts(parts) };
}

/** An object without settings of which nothing is left. */
export function withoutNothing(tree: Tree): Tree {
  const lifecycle = tree.parts?.get(LIFECYCLE);
  if (lifecycle?.parts?.size !== 0 || Array.isArray(lifecycle.value)) return tree;
  const parts = new Map(tree.parts);
  parts.delete(LIFECYCLE);
  return { ...tree, ...mapParts(parts) };
}

/** Whether an object changes one of an earlier layer, or takes it out. */
export const isMarked = (tree: Tree): boolean => isSet(tree, OVERRIDE) || isSet(tree, OMIT);
