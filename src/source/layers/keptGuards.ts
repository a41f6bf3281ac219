// Checks that protected objects stay when a later layer changes the sets for which they are
// repeated. The joined files no longer contain a removed object, so the comparison of objects would
// miss it.
import { type Sections, sectionsUnder } from '../../kinds/identity/sections.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KindName } from '../../model/names.ts';
import { itemsOf, orderOf } from '../templates/movedTrees.ts';
import type { SourceNode } from '../yaml/node.ts';
import { topObjects } from './layered.ts';
import { boundElsewhere, loosened } from './layerFaults.ts';
import { nameOf } from './layerIdentity.ts';
import { guardsIn, isBoundElse } from './marks.ts';

/** The files of a run, and the changes that later layers make to the sets of earlier layers. */
export interface ChangedSets {
  /** The changes, each with its position. */
  readonly changes: readonly SourceNode[];
  /** The documents of all layers, joined. */
  readonly documents: Files;
  /** The joined documents of all layers before the layer with this order. */
  readonly before: (order: number) => Files;
}

type Files = readonly (readonly SourceNode[])[];

/** Returns a function that reports protected objects that changes of sets remove or no longer protect. */
export function keptGuards(kinds: KindTable): (sets: ChangedSets) => readonly Diagnostic[] {
  const protectedIn = protectedObjects(kinds);
  return ({ changes, documents, before }) => {
    if (changes.length === 0) return [];
    const kept = protectedIn(documents);
    const reported = new Set<string>();
    return [...new Set(changes.map(orderOf))].flatMap(order => {
      const own = changes.filter(change => orderOf(change) === order);
      return [...protectedIn(before(order))].flatMap(([path, { kind, name, node }]) => {
        const left = kept.get(path)?.node.tree;
        const both = { over: causeOf(node, own), under: node };
        const isElse = left !== undefined && isBoundElse(node.tree, left);
        const faults = [
          ...loosened(kind, name, { ...both, left: left ? guardsIn(left) : [] }),
          ...(isElse ? [boundElsewhere(kind, name, both)] : []),
        ];
        if (reported.has(path)) return [];
        if (faults.length > 0) reported.add(path);
        return faults;
      });
    });
  };
}

/** A protected object, and where it is declared. */
interface Guarded {
  readonly kind: Kind;
  readonly name: string | null;
  readonly node: SourceNode;
}

// Returns a function that finds the protected objects in files. The key of an object consists of
// the kinds and names of its parents, then its own.
function protectedObjects(kinds: KindTable): (files: Files) => ReadonlyMap<string, Guarded> {
  const top = sectionsUnder(kinds);
  const sections = new Map<KindName, Sections>(
    [...kinds.keys()].map(parent => [parent, sectionsUnder(kinds, parent)]),
  );
  return files => {
    const found = new Map<string, Guarded>();
    const visit = (kind: Kind, node: SourceNode, parents: readonly string[]): void => {
      const name = nameOf(kind, node.tree);
      const path = [...parents, kind.name, name ?? ''];
      if (guardsIn(node.tree).length > 0) found.set(JSON.stringify(path), { kind, name, node });
      for (const [key, { kind: inner }] of sections.get(kind.name) ?? [])
        if (inner && Array.isArray(node.tree.parts?.get(key)?.value))
          for (const child of itemsOf(node.inside([key]))) visit(inner, child, path);
    };
    for (const document of files.flat())
      for (const { kind, node } of topObjects(document, top)) visit(kind, node, []);
    return found;
  };
}

/**
 * The change to the entry for which an object was made; if there is none, the change to the whole
 * set.
 */
function causeOf(node: SourceNode, changes: readonly SourceNode[]): SourceNode {
  const instances = node.at([]).use?.instances ?? [];
  const entries = changes.flatMap(change =>
    instances.flatMap(key => (change.tree.parts?.has(key) ? [change.inside([key])] : [])),
  );
  return entries[0] ?? changes[0] ?? node;
}
