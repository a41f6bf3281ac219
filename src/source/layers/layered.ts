// The objects of several layers as one desired state. An object stays in the file of the first layer that declares it; values
// from a later layer keep their positions in that layer.
import { type Section, type Sections, sectionsUnder } from '../../kinds/identity/sections.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KindName } from '../../model/names.ts';
import { isObject, type JsonObject } from '../../model/value.ts';
import { isMapping } from '../templates/merge.ts';
import { movable, orderOf } from '../templates/movedTrees.ts';
import { isSopsDocument } from '../values/sops.ts';
import type { SourceNode } from '../yaml/node.ts';
import { listParts, mapParts, type Tree } from '../yaml/tree.ts';
import { type Joining, joinedObject } from './joinLayers.ts';
import { nameOf } from './layerIdentity.ts';

export interface Layered {
  /** By file, its documents. */
  readonly documents: readonly (readonly SourceNode[])[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Returns a function that joins the objects of all layers. Files are in the order of the layers. `lifecycle` is the schema of the
 * settings of objects.
 */
export function layering(
  kinds: KindTable,
  lifecycle: JsonObject,
): (files: readonly (readonly SourceNode[])[]) => Layered {
  const top = sectionsUnder(kinds);
  const sections = new Map<KindName, Sections>(
    [...kinds.keys()].map(parent => [parent, sectionsUnder(kinds, parent)]),
  );
  const inside = (kind: KindName): Sections => sections.get(kind) ?? new Map();
  const settings = new Set(isObject(lifecycle.properties) ? Object.keys(lifecycle.properties) : []);
  return files => {
    const isOne = files.flat().every(document => document.written([]).origin.layer === undefined);
    if (isOne) return { documents: files, diagnostics: [] };
    const run: Joining = { inside, settings, diagnostics: [] };
    const slots = new Map<string, Slot>();
    const found = files.map(documents =>
      documents.map(document =>
        isSopsDocument(document.value)
          ? []
          : topObjects(document, top).map(one => slotOf(one, slots, run)),
      ),
    );
    return {
      documents: files.map((documents, file) =>
        documents.map((document, i) => {
          const own = (found[file]?.[i] ?? []).filter(slot => slot.now !== slot.node.tree);
          if (own.length === 0) return document;
          return document.withTree(changed(document.tree, changesOf(own)));
        }),
      ),
      diagnostics: run.diagnostics,
    };
  };
}

/** An object at the top level of a file. */
interface Found {
  readonly kind: Kind;
  readonly node: SourceNode;
  readonly path: readonly string[];
}

/** An object and its result. `now` is null if the object was removed, or became part of another object. */
interface Slot extends Found {
  now: Tree | null;
}

/** The objects at the top level of a document, as they are written. */
export function topObjects(document: SourceNode, sections: Sections): readonly Found[] {
  const visit = (holder: SourceNode, inside: Sections, path: readonly string[]): readonly Found[] =>
    [...inside].flatMap(([key, section]) => {
      if (!holder.tree.parts?.has(key)) return [];
      return members(holder.inside([key]), section, [...path, key]).flatMap(one =>
        section.kind ? [{ ...one, kind: section.kind }] : visit(one.node, section.inside, one.path),
      );
    });
  return visit(document, sections, []);
}

function members(
  node: SourceNode,
  { list }: Section,
  path: readonly string[],
): readonly Omit<Found, 'kind'>[] {
  if (!list) return isMapping(node.tree) ? [{ node, path }] : [];
  if (!Array.isArray(node.value)) return [];
  return [...(node.tree.parts?.keys() ?? [])]
    .map(i => ({ node: node.inside([i]), path: [...path, i] }))
    .filter(one => isMapping(one.node.tree));
}

function slotOf(found: Found, slots: Map<string, Slot>, run: Joining): Slot {
  const { kind, node } = found;
  const name = nameOf(kind, node.tree);
  const slot: Slot = { ...found, now: node.tree };
  const address = `${kind.name} ${name}`;
  const under = name === null ? undefined : slots.get(address);
  if (under?.now && orderOf(under.node) < orderOf(node)) {
    const known = under.node.withTree(under.now);
    const change = joinedObject(kind, { under: known, over: node }, run);
    if (change === 'gone') under.now = null;
    else if (change !== 'same') under.now = movable(known.withTree(change.tree));
    slot.now = null;
    return slot;
  }
  if (name !== null && !under?.now) slots.set(address, slot);
  return slot;
}

/** The changes to the values of a mapping or a list. Only values that are objects change. */
interface Changes {
  readonly inside: Map<string, Changes>;
  tree?: Tree | null;
}

function changesOf(slots: readonly Slot[]): Changes {
  const all: Changes = { inside: new Map() };
  for (const { path, now } of slots) {
    let at = all;
    for (const step of path) {
      const next: Changes = at.inside.get(step) ?? { inside: new Map() };
      at.inside.set(step, next);
      at = next;
    }
    at.tree = now;
  }
  return all;
}

function changed(tree: Tree, { inside }: Changes): Tree {
  const parts = new Map(
    [...(tree.parts ?? [])].map(([key, part]) => {
      const change = inside.get(key);
      if (change === undefined) return [key, part];
      if (change.tree === undefined) return [key, changed(part, change)];
      return [key, change.tree ?? elsewhere(part)];
    }),
  );
  const isList = Array.isArray(tree.value);
  return { ...tree, ...(isList ? listParts([...parts.values()]) : mapParts(parts)) };
}

// An empty tree in place of a removed one, so that its siblings keep their positions.
const elsewhere = (tree: Tree): Tree => ({
  ...tree,
  value: null,
  parts: new Map(),
  isBroken: true,
});
