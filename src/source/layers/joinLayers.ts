// Joins an object with the same object of earlier layers. If the object overrides, it is merged by the rules of templates;
// otherwise it adds members and children.
import { namedItems } from '../../kinds/identity/namedItems.ts';
import type { Section, Sections } from '../../kinds/identity/sections.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KindName } from '../../model/names.ts';
import { addAll } from '../../model/text/longLists.ts';
import { changesGrant, changesOther, isOfGrant } from '../templates/grantTemplateFaults.ts';
import { isMapping, mergedTree, withoutRemovals } from '../templates/merge.ts';
import { itemsOf, movable, orderOf, placed } from '../templates/movedTrees.ts';
import { OVERRIDE } from '../templates/readTemplates.ts';
import type { SourceNode } from '../yaml/node.ts';
import { listParts, mapParts, type Tree } from '../yaml/tree.ts';
import {
  boundElsewhere,
  called,
  declaredAgain,
  loosened,
  markFaults,
  noItem,
} from './layerFaults.ts';
import { isContribution, isOnlyParent, nameOf } from './layerIdentity.ts';
import {
  areSettingsValid,
  guardsIn,
  isBoundElse,
  isSet,
  OMIT,
  withoutMarks,
  withoutNothing,
} from './marks.ts';
import { isOmitted, itemsMerged } from './mergedItems.ts';

/** How objects are joined. */
export interface Joining {
  /** The sections inside objects, by kind. */
  readonly inside: (kind: KindName) => Sections;
  /** The names of all settings of an object. */
  readonly settings: ReadonlySet<string>;
  readonly diagnostics: Diagnostic[];
}

/** The result for an object of an earlier layer: another tree, or its removal. */
export type Joined = { readonly tree: Tree } | 'gone' | 'same';

/** The object of the earlier layers, changed by `over`. `isPart`: whether `over` is a child of an object that overrides. */
export function joinedObject(
  kind: Kind,
  {
    under,
    over,
    isPart = false,
  }: { readonly under: SourceNode; readonly over: SourceNode; readonly isPart?: boolean },
  run: Joining,
): Joined {
  const name = nameOf(kind, over.tree);
  const refused = refusedJoin(kind, { under, over }, run);
  if (refused.length > 0) {
    addAll(run.diagnostics, refused);
    return 'same';
  }
  // A faulty setting of the earlier layer may be meant as a guard, so the object stays. The check
  // of that object reports the fault.
  if (!areSettingsValid(under.tree, run.settings)) return 'same';
  const isGone = isSet(over.tree, OMIT) || (isPart && isOmitted(over.tree));
  if (isGone) {
    const faults = everyLoosened(kind, { under, over }, run);
    addAll(run.diagnostics, faults);
    return faults.length > 0 ? 'same' : 'gone';
  }
  const inside = run.inside(kind.name);
  if (
    orderOf(under) === orderOf(over) ||
    !(isPart || isSet(over.tree, OVERRIDE) || isContribution(kind, over.tree, inside))
  ) {
    run.diagnostics.push(declaredAgain(kind, name, { over, under }));
    return 'same';
  }
  const isOverride = isPart || isSet(over.tree, OVERRIDE);
  const tree = isOverride
    ? overridden(kind, { under, over }, run)
    : contributed(kind, { under, over }, run);
  addAll(run.diagnostics, loosened(kind, name, { over, under, left: guardsIn(tree) }));
  if (isBoundElse(under.tree, tree))
    addAll(run.diagnostics, reboundFaults(kind, { under, over }, run));
  return { tree };
}

// Why a later layer must not touch the object at all.
function refusedJoin(kind: Kind, both: Both, run: Joining): readonly Diagnostic[] {
  const unclear = markFaults(both.over);
  return unclear.length > 0 ? unclear : [acrossGrants(kind, both, run) ?? []].flat();
}

// Errors if a later layer binds a protected object to another live object. Nested objects move with it, so their guards count
// too.
function reboundFaults(kind: Kind, { under, over }: Both, run: Joining): readonly Diagnostic[] {
  const name = nameOf(kind, over.tree);
  const own = guardsIn(under.tree).length > 0 ? [boundElsewhere(kind, name, { over, under })] : [];
  const ofChildren = [...run.inside(kind.name)].flatMap(([key, { kind: inner }]) =>
    inner ? childrenLoosened(key, inner, { under, over }, run) : [],
  );
  return [own, ofChildren].flat();
}

// Files under `grants/` may only add separate objects. If a grant shared an object with other files, the object would be checked
// either as a grant or as an ordinary declaration, but not as both.
function acrossGrants(kind: Kind, both: Both, run: Joining): Diagnostic | undefined {
  const { under, over } = both;
  const what = called(kind, nameOf(kind, over.tree));
  if (isOfGrant(over) && !isOnlyParent(kind, over.tree, run.inside(kind.name)))
    return changesOther(what, both);
  return isOfGrant(under) && isSet(over.tree, OVERRIDE) ? changesGrant(what, both) : undefined;
}

function overridden(kind: Kind, { under, over }: Both, run: Joining): Tree {
  const own = over.withTree(withoutMarks({ ...over.tree, from: placed(over).from }));
  const parts = new Map(own.tree.parts);
  for (const [key, section] of run.inside(kind.name)) {
    const list = both(key, under, own);
    if (list && section.kind) parts.set(key, children(section, list, { isPart: true }, run));
    else if (section.kind && own.tree.parts?.has(key)) {
      addAll(run.diagnostics, childrenLoosened(key, section.kind, { under, over }, run));
      parts.set(key, onlyNew(own.inside([key])));
    }
  }
  for (const key of own.tree.parts?.keys() ?? []) {
    const list = both(key, under, own);
    const by = namedItems(kind, key);
    if (list && by !== undefined) parts.set(key, itemsMerged(list, by, run.diagnostics));
  }
  return withoutNothing(mergedTree(placed(under), { ...own.tree, ...mapParts(parts) }));
}

// Adds only members and children; the rest of the object stays as in the earlier layer.
function contributed(kind: Kind, { under, over }: Both, run: Joining): Tree {
  const { tree, from } = placed(under);
  const parts = new Map(tree.parts);
  for (const key of over.tree.parts?.keys() ?? []) {
    const section = run.inside(kind.name).get(key);
    const isMember = kind.shape.fields.get(key)?.shared === true;
    const list = both(key, under, over);
    if (list && section?.kind) parts.set(key, children(section, list, { isPart: false }, run));
    else if (list && isMember) parts.set(key, members(list));
    else if (section || isMember) {
      const part = over.inside([key]);
      parts.set(key, { ...part.tree, from: placed(part).from });
    }
  }
  return { ...tree, ...mapParts(parts), from };
}

interface Both {
  readonly under: SourceNode;
  readonly over: SourceNode;
}

/** The list under `key` in both objects; null if one of them has none. */
function both(key: string, under: SourceNode, over: SourceNode): Both | null {
  const isList = (node: SourceNode) => Array.isArray(node.tree.parts?.get(key)?.value);
  return isList(under) && isList(over)
    ? { under: under.inside([key]), over: over.inside([key]) }
    : null;
}

function members({ under, over }: Both): Tree {
  const known = itemsOf(under).map(movable);
  const texts = new Set(known.map(({ value }) => JSON.stringify(value)));
  const added = itemsOf(over).filter(({ value }) => !texts.has(JSON.stringify(value)));
  const { tree, from } = placed(under);
  return { ...tree, ...listParts([...known, ...added.map(movable)]), from };
}

// A list that no earlier layer has. Its objects have nothing to remove, so their removals are dropped.
function onlyNew(list: SourceNode): Tree {
  const { tree, from } = placed(list);
  if (!Array.isArray(tree.value)) return { ...tree, from };
  const whole = itemsOf(list).map(item => movable(item.withTree(withoutRemovals(item.tree))));
  return { ...tree, ...listParts(whole), from };
}

function children(
  { kind }: Section,
  { under, over }: Both,
  { isPart }: { readonly isPart: boolean },
  run: Joining,
): Tree {
  const { tree, from } = placed(over);
  if (kind === undefined) return { ...tree, from };
  const slots: (SourceNode | null)[] = [...itemsOf(under)];
  for (const child of itemsOf(over)) place(kind, { slots, over: child, isPart }, run);
  const left = slots.filter(slot => slot !== null);
  return { ...tree, ...listParts(left.map(movable)), from };
}

/** Puts an object into the list of earlier objects: in place of the object that it changes, or at the end. */
function place(
  kind: Kind,
  {
    slots,
    over,
    isPart,
  }: { readonly slots: (SourceNode | null)[]; readonly over: SourceNode; readonly isPart: boolean },
  run: Joining,
): void {
  const name = isMapping(over.tree) ? nameOf(kind, over.tree) : null;
  const at =
    name === null ? -1 : slots.findIndex(slot => slot !== null && nameOf(kind, slot.tree) === name);
  const under = slots[at];
  if (!under) {
    if (isPart && isOmitted(over.tree))
      run.diagnostics.push(noItem(`the ${called(kind, name)}`, over, [OMIT]));
    else slots.push(over.withTree(withoutRemovals(over.tree)));
    return;
  }
  const found = joinedObject(kind, { under, over, isPart }, run);
  if (found === 'gone') slots[at] = null;
  else if (found !== 'same') slots[at] = under.withTree(found.tree);
}

// Removing an object also removes its children, so their guards count too.
function everyLoosened(kind: Kind, { under, over }: Both, run: Joining): Diagnostic[] {
  const own = loosened(kind, nameOf(kind, under.tree), { over, under, left: [] });
  const ofChildren = [...run.inside(kind.name)].flatMap(([key, { kind: inner }]) => {
    return inner ? childrenLoosened(key, inner, { under, over }, run) : [];
  });
  return [own, ofChildren].flat();
}

function childrenLoosened(
  key: string,
  kind: Kind,
  { under, over }: Both,
  run: Joining,
): readonly Diagnostic[] {
  if (!Array.isArray(under.tree.parts?.get(key)?.value)) return [];
  return itemsOf(under.inside([key])).flatMap(child =>
    everyLoosened(kind, { under: child, over }, run),
  );
}
