// Replaces every object that extends templates with the merged object, wherever a file can declare objects.
import type { Section, Sections } from '../../kinds/identity/sections.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KindName } from '../../model/names.ts';
import { addAll } from '../../model/text/longLists.ts';
import type { Path } from '../../model/value.ts';
import { quotedBriefly } from '../sentenceWords.ts';
import type { SourceNode } from '../yaml/node.ts';
import type { From } from '../yaml/origin.ts';
import { listParts, mapParts, type Tree } from '../yaml/tree.ts';
import { MOST_VALUES } from './expansionLimits.ts';
import { asPatch, isMapping, mergedTree } from './merge.ts';
import { EXTENDS, LIFECYCLE, OVERRIDE } from './readTemplates.ts';
import type { Templates } from './resolvedTemplates.ts';

/** Replaces the templates of an object, and counts the resulting objects. */
export interface Extending {
  readonly templates: Templates;
  /** The sections inside objects, by kind. */
  readonly inside: (kind: KindName) => Sections;
  readonly diagnostics: Diagnostic[];
  /** The number of values that merges have added to objects in this run. */
  valuesAdded: number;
}

/** The tree of `holder`, a document or an object, in which the objects of its sections are merged with their templates. */
export const extended = (holder: SourceNode, sections: Sections, run: Extending): Tree =>
  extendedInside(holder, sections, { run, isPart: false });

interface Inside {
  readonly run: Extending;
  /** Whether the objects are inside an object that changes an object of an earlier layer, so that they change that object too. */
  readonly isPart: boolean;
}

function extendedInside(holder: SourceNode, sections: Sections, where: Inside): Tree {
  return withParts(holder, holder.tree, key => {
    const section = sections.get(key);
    return section && (node => inSection(node, section, where));
  });
}

function inSection(node: SourceNode, section: Section, where: Inside): Tree {
  const { list, kind, inside } = section;
  const one = (member: SourceNode) =>
    kind ? object(member, kind, where) : extendedInside(member, inside, where);
  if (!list) return one(node);
  return Array.isArray(node.value) ? withParts(node, node.tree, () => one) : node.tree;
}

function object(node: SourceNode, kind: Kind, where: Inside): Tree {
  if (!isMapping(node.tree)) return node.tree;
  const { run } = where;
  const own = node.tree.parts.has(EXTENDS) ? mergedObject(node, kind, where) : node.tree;
  const isPart = where.isPart || isOverriding(own);
  return extendedInside(node.withTree(own), run.inside(kind.name), { run, isPart });
}

const isOverriding = (tree: Tree): boolean =>
  tree.parts?.get(LIFECYCLE)?.parts?.get(OVERRIDE)?.value === true;

function mergedObject(node: SourceNode, kind: Kind, { run, isPart }: Inside): Tree {
  const found = run.templates.fieldsFor(node);
  if (!found) return unusable(node.tree);
  const { fields, patch } = found;
  run.valuesAdded += fields.tree.size;
  if (run.valuesAdded > MOST_VALUES) return tooMuch(node, run);
  const parts = new Map(isMapping(node.tree) ? node.tree.parts : []);
  parts.delete(EXTENDS);
  const replacedOrigin = node.tree.from;
  const from: From = {
    ...node.written([]),
    role: 'object',
    ...(replacedOrigin && { replacedOrigin }),
  };
  addAll(
    run.diagnostics,
    identityFaults(node.withTree({ ...fields.tree, offset: node.tree.offset, from }), kind),
  );
  const own = { ...node.tree, ...mapParts(parts) };
  const merged = mergedTree(fields, own);
  const whole = isPart || isOverriding(merged) ? asPatch(patch, own) : merged;
  return { ...withoutEmptied(whole), from };
}

// A `lifecycle` from which everything was removed counts as not written.
function withoutEmptied(tree: Tree): Tree {
  if (tree.parts?.get(LIFECYCLE)?.parts?.size !== 0) return tree;
  const parts = new Map(tree.parts);
  parts.delete(LIFECYCLE);
  return { ...tree, ...mapParts(parts) };
}

// Without the values of its templates, the object would have other faults, which only follow from this one.
const unusable = (tree: Tree): Tree => ({
  ...tree,
  value: null,
  parts: new Map(),
  isBroken: true,
});

// The name of a template is not the name of an object. A template can contain only the other identity fields.
function identityFaults(fields: SourceNode, kind: Kind): Diagnostic[] {
  return kind.identity.flat().flatMap((name): Diagnostic[] => {
    const path = name.split('.');
    if (!isAt(fields.tree, path)) return [];
    const message = `a template sets ${quotedBriefly(name)}, which identifies the ${kind.noun}`;
    const hint = 'write it in the object itself';
    return [{ code: 'TEMPLATE_FIELD', severity: 'error', message, at: fields.keyAt(path), hint }];
  });
}

const isAt = (tree: Tree, path: Path): boolean =>
  path.reduce<Tree | undefined>((at, step) => at?.parts?.get(step), tree) !== undefined;

function tooMuch(node: SourceNode, run: Extending): Tree {
  if (run.valuesAdded !== Number.POSITIVE_INFINITY) {
    run.diagnostics.push({
      code: 'EXPANSION_LIMIT',
      severity: 'error',
      message: `with its templates expanded, this has more than ${MOST_VALUES} values`,
      at: node.at([EXTENDS]),
      hint: 'use smaller templates, or fewer objects that extend them',
    });
    run.valuesAdded = Number.POSITIVE_INFINITY;
  }
  return unusable(node.tree);
}

// Returns the same tree if nothing changes, so that files without templates cost nothing.
function withParts(
  node: SourceNode,
  tree: Tree,
  changeOf: (key: string) => ((part: SourceNode) => Tree) | undefined,
): Tree {
  const changed = new Map<string, Tree>();
  for (const key of tree.parts?.keys() ?? []) {
    const change = changeOf(key);
    const before = tree.parts?.get(key);
    const after = change?.(node.inside([key]));
    if (after && after !== before) changed.set(key, after);
  }
  if (changed.size === 0 || !tree.parts) return tree;
  const parts = new Map([...tree.parts].map(([key, part]) => [key, changed.get(key) ?? part]));
  const whole = Array.isArray(tree.value) ? listParts([...parts.values()]) : mapParts(parts);
  return { ...tree, ...whole };
}
