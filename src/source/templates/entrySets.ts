// The entries for which `for_each` repeats a member: the sets of all files, and the entries of a
// list or a mapping.
import { type Diagnostic, spanText } from '../../model/diagnostic.ts';
import { kindOf, quotedBriefly } from '../sentenceWords.ts';
import type { SourceNode } from '../yaml/node.ts';
import { changesGrant, changesOther, isOfGrant } from './grantTemplateFaults.ts';
import { isMapping, mergedTree } from './merge.ts';
import { movable, orderOf, placed } from './movedTrees.ts';

/** The top-level key of sets. */
export const SETS = 'sets';

/** An entry for which an object is repeated. */
export interface Entry {
  readonly key: string;
  /** The list or the mapping that contains the entry. */
  readonly home: SourceNode;
  /** Its key in `home`, or its index. */
  readonly step: string;
  /** Whether the entry is from a list of texts. The text is then both the key and the value. */
  readonly isText: boolean;
}

export interface ReadSets {
  readonly byName: ReadonlyMap<string, SourceNode>;
  /** The changes of later layers to the sets of earlier ones. */
  readonly changes: readonly SourceNode[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The sets of all documents. If two sets have the same name, the set of the later layer is merged into the earlier one; in one
 * layer, the first set counts.
 */
export function readSets(documents: readonly SourceNode[]): ReadSets {
  const byName = new Map<string, SourceNode>();
  const changes: SourceNode[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const document of documents) {
    const sets = document.tree.parts?.get(SETS);
    if (!sets || sets.isBroken) continue;
    if (!isMapping(sets)) {
      const said =
        sets.value === null ? 'has no value' : `must be a mapping, not ${kindOf(sets.value)}`;
      const hint = 'write `NAME: { KEY: { … } }` below it';
      const fault = { code: 'SCHEMA_TYPE', severity: 'error', hint } as const;
      diagnostics.push({ ...fault, message: `\`sets\` ${said}`, at: document.at([SETS]) });
      continue;
    }
    for (const name of sets.parts.keys()) {
      const first = byName.get(name);
      const own = document.inside([SETS, name]);
      if (first && orderOf(first) < orderOf(own)) {
        const fault = betweenGrants(name, { under: first, over: own });
        if (fault) diagnostics.push(fault);
        else {
          changes.push(own);
          byName.set(name, withChanges(first, own));
        }
      } else if (first) diagnostics.push(secondOf(name, document, first));
      else {
        const fault = malformed(own, `the set ${quotedBriefly(name)}`);
        if (fault) diagnostics.push(fault);
        // A fault of a set is reported once, whether or not the set is used.
        byName.set(name, fault ? own.withTree({ ...own.tree, isBroken: true }) : own);
      }
    }
  }
  return { byName, changes, diagnostics };
}

/** The fault of a value that is neither a list nor a mapping, called `name` in the sentence. */
function malformed({ tree, at }: SourceNode, name: string): Diagnostic | undefined {
  if (tree.isBroken || isMapping(tree) || Array.isArray(tree.value)) return undefined;
  const said = tree.value === null ? 'has no value' : `is ${kindOf(tree.value)}`;
  return {
    code: 'FOR_EACH_INVALID',
    severity: 'error',
    message: `${name} must be a list of texts or a mapping, but it ${said}`,
    at: at([]),
    hint: FORMS,
  };
}

const withChanges = (first: SourceNode, own: SourceNode): SourceNode =>
  first.withTree(mergedTree(placed(first), movable(own)));

// A grant and other files must not share a set.
function betweenGrants(
  name: string,
  both: { readonly under: SourceNode; readonly over: SourceNode },
): Diagnostic | undefined {
  const isGrant = isOfGrant(both.over);
  if (isGrant === isOfGrant(both.under)) return undefined;
  const change = isGrant ? changesOther : changesGrant;
  return change(`set ${quotedBriefly(name)}`, both);
}

const secondOf = (name: string, document: SourceNode, first: SourceNode): Diagnostic => ({
  code: 'OBJECT_DUPLICATE',
  severity: 'error',
  message: `the set ${quotedBriefly(name)} is declared twice`,
  at: document.keyAt([SETS, name]),
  hint: `the first is at ${spanText(first.keyAt([]))}; write all of its entries there`,
});

/** The entries of a list of texts or of a mapping, or its fault. `name`: what the sentence calls it. */
export function entriesIn(
  home: SourceNode,
  name: string,
): { entries: readonly Entry[]; diagnostics: readonly Diagnostic[] } {
  const { tree } = home;
  if (tree.isBroken) return { entries: [], diagnostics: [] };
  if (isMapping(tree)) {
    const steps = [...tree.parts.keys()];
    return {
      entries: steps.map(step => ({ key: step, home, step, isText: false })),
      diagnostics: steps.flatMap(step => emptyEntry(home, step)),
    };
  }
  if (Array.isArray(tree.value)) return inList(home);
  const fault = malformed(home, name);
  return { entries: [], diagnostics: fault ? [fault] : [] };
}

/** The hint about the values that `for_each` accepts. */
export const FORMS =
  'write the name of a set, a list of texts such as [hamburg, bremen], or a mapping such as { hamburg: { … } }';

function emptyEntry(home: SourceNode, step: string): Diagnostic[] {
  const part = home.tree.parts?.get(step);
  if (part?.value !== null || part.isBroken) return [];
  const message = `the entry ${quotedBriefly(step)} has no value`;
  const hint = `write ${quotedBriefly(`${step}: {}`)} if it needs none`;
  return [{ code: 'FOR_EACH_INVALID', severity: 'error', message, at: home.keyAt([step]), hint }];
}

function inList(home: SourceNode): ReturnType<typeof entriesIn> {
  const entries: Entry[] = [];
  const diagnostics: Diagnostic[] = [];
  const seen = new Set<string>();
  for (const [step, { value, isBroken }] of home.tree.parts ?? []) {
    if (isBroken) continue;
    const at = home.at([step]);
    if (typeof value !== 'string') {
      const message = `each member of a list in \`for_each\` must be text, not ${kindOf(value)}`;
      const hint =
        typeof value === 'object' && value !== null
          ? 'write a mapping instead: { NAME: { … } }'
          : 'put it in quotes';
      diagnostics.push({ code: 'FOR_EACH_INVALID', severity: 'error', message, at, hint });
    } else if (seen.has(value)) {
      const message = `${quotedBriefly(value)} is twice in this list`;
      const hint = 'keep one of the two';
      diagnostics.push({ code: 'OBJECT_DUPLICATE', severity: 'error', message, at, hint });
    } else entries.push({ key: value, home, step, isText: true });
    if (typeof value === 'string') seen.add(value);
  }
  return { entries, diagnostics };
}
