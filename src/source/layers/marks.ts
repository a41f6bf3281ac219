// The marks with which an object overrides or omits an object of an earlier layer.
import { OVERRIDE } from '../templates/readTemplates.ts';
import { mapParts, type Tree } from '../yaml/tree.ts';

/** The key of an object's settings for meshform. */
const LIFECYCLE = 'lifecycle';

/** The setting that omits the object, or the item of a list, of an earlier layer. */
export const OMIT = 'omit';

/**
 * Settings that protect an object. Another layer cannot remove them; a person must edit the layer
 * that contains them.
 */
const GUARDS = ['protect', 'break_glass'] as const;

const settingsOf = (tree: Tree): ReadonlyMap<string, Tree> =>
  tree.parts?.get(LIFECYCLE)?.parts ?? new Map();

/** A setting of an object; undefined if it is not written. */
export const settingOf = (tree: Tree, name: string): Tree | undefined => settingsOf(tree).get(name);

/** Whether a setting of an object is true. */
export const isSet = (tree: Tree, name: string): boolean =>
  settingsOf(tree).get(name)?.value === true;

/** Whether a guard of an object may be true: a value that is neither true nor false is an error, and does not count as false. */
const mayBeSet = (tree: Tree, guard: string): boolean => {
  const value = settingOf(tree, guard)?.value ?? false;
  return value !== false;
};

/** Whether the settings of an object can be read. `known`: the names of all settings. */
export function areSettingsValid(tree: Tree, known: ReadonlySet<string>): boolean {
  const lifecycle = tree.parts?.get(LIFECYCLE);
  if (lifecycle === undefined || lifecycle.isBroken) return true;
  if (lifecycle.parts === undefined || Array.isArray(lifecycle.value)) return false;
  const isKnown = [...lifecycle.parts.keys()].every(name => known.has(name));
  return isKnown && GUARDS.every(guard => mayBeSet(tree, guard) === isSet(tree, guard));
}

/** Whether two declarations of an object may mean different live objects, because their `lifecycle.id` differs. */
export const isBoundElse = (one: Tree, other: Tree): boolean =>
  settingOf(one, 'id')?.value !== settingOf(other, 'id')?.value;

/** The settings that protect an object. */
export const guardsIn = (tree: Tree): readonly string[] =>
  GUARDS.filter(guard => mayBeSet(tree, guard));

/** The place of a setting, for messages. */
export const settingPath = (name: string): readonly string[] => [LIFECYCLE, name];

/** An object without `override` and `omit`. */
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

/** An object without its `lifecycle` if that is empty. */
export function withoutNothing(tree: Tree): Tree {
  const lifecycle = tree.parts?.get(LIFECYCLE);
  if (lifecycle?.parts?.size !== 0 || Array.isArray(lifecycle.value)) return tree;
  const parts = new Map(tree.parts);
  parts.delete(LIFECYCLE);
  return { ...tree, ...mapParts(parts) };
}

/** Whether an object changes or omits an object of an earlier layer. */
export const isMarked = (tree: Tree): boolean => isSet(tree, OVERRIDE) || isSet(tree, OMIT);
