// Repeats the members of lists that have `for_each`, and fills in the entries for which they are repeated.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { EACH } from '../../model/text/literalText.ts';
import { addAll } from '../../model/text/longLists.ts';
import { isList, type Path } from '../../model/value.ts';
import { quotedBriefly } from '../sentenceWords.ts';
import { isVariableName } from '../values/reference.ts';
import type { SourceNode } from '../yaml/node.ts';
import type { From } from '../yaml/origin.ts';
import { listParts, mapParts, type Tree } from '../yaml/tree.ts';
import {
  badName,
  inSet,
  nested,
  noEntries,
  notInList,
  sameKeys,
  tooDeep,
  tooLarge,
  tooManyOfAll,
  tooManyOfOne,
  unknownSet,
} from './eachFaults.ts';
import { hasOpenReference, lookUp, mayRefer, wholeReference } from './eachText.ts';
import { type Entry, entriesIn, type ReadSets } from './entrySets.ts';
import { MOST_OF_ALL, MOST_OF_ONE, MOST_VALUES } from './expansionLimits.ts';
import { type FilledTexts, filledKey, filledText, type Here, spanAt } from './fillEach.ts';
import { isOfGrant, repeatsForGrant } from './grantTemplateFaults.ts';
import { isMapping } from './merge.ts';
import { LIFECYCLE } from './readTemplates.ts';

/** The key that repeats a member of a list for each entry. */
const FOR_EACH = 'for_each';

/** The key that sets the name of an entry in texts. */
const AS = 'as';

/** The sets of a run, and the counts of the members that it has made so far. */
export interface Repeating extends FilledTexts {
  readonly sets: ReadSets;
  /** Whether the values are entries of sets, in which nothing is repeated. */
  readonly isInSets?: boolean;
  /** Whether the files are an earlier revision. */
  readonly isEarlier: boolean;
  /** Whether a part of the files could not be read, so that a set may be missing. */
  readonly isCut: boolean;
  readonly diagnostics: Diagnostic[];
  /** The number of members that each `for_each` has made. */
  readonly made: Map<string, number>;
  /** The number of members that all `for_each` have made, and of their values. Infinite once a limit is exceeded. */
  total: number;
  values: number;
}

/** A document, with the scopes at a place in it. */
interface Walk extends Here {
  readonly run: Repeating;
}

/** The tree of a document in which the members of the lists under some of its keys are repeated. */
export function repeated(
  root: SourceNode,
  keys: { readonly has: (key: string) => boolean },
  run: Repeating,
): Tree {
  const { diagnostics, isEarlier } = run;
  const walk: Walk = { root, scopes: new Map(), diagnostics, isEarlier, run };
  const { tree } = root;
  if (!isMapping(tree)) return tree;
  const changed = [...tree.parts].map(([key, part]): [string, Tree] => [
    key,
    keys.has(key) && isConcerned(part) ? (filled(part, [key], walk) ?? part) : part,
  ]);
  const isSame = changed.every(([key, part]) => part === tree.parts.get(key));
  return isSame ? tree : { ...tree, ...mapParts(new Map(changed)) };
}

const concerned = new WeakMap<Tree, boolean>();

// Whether a tree has anything to fill in: most trees do not. The result is cached, so that values of templates are searched only
// once.
function isConcerned(tree: Tree): boolean {
  if (typeof tree.value === 'string') return mayRefer(tree.value);
  if (!tree.parts) return false;
  const known = concerned.get(tree);
  if (known !== undefined) return known;
  const found = [...tree.parts].some(
    ([key, part]) => key === FOR_EACH || mayRefer(key) || isConcerned(part),
  );
  concerned.set(tree, found);
  return found;
}

// The tree with its references filled in; undefined if it counts as not written.
function filled(tree: Tree, path: Path, walk: Walk): Tree | undefined {
  if (!isConcerned(tree)) return tree;
  if (typeof tree.value === 'string') return filledText(tree, path, walk);
  if (isList(tree.value)) return filledList(tree, path, walk);
  if (!isMapping(tree)) return tree;
  if (!tree.parts.has(FOR_EACH)) return filledMapping(tree, path, walk);
  walk.diagnostics.push(notInList(spanAt(walk, [...path, FOR_EACH], true)));
  return filledMapping(withoutEach(tree), path, walk);
}

function filledMapping(tree: Tree, path: Path, walk: Walk): Tree {
  const parts = new Map<string, Tree>();
  for (const [key, part] of tree.parts ?? []) {
    const inside = [...path, key];
    const name = mayRefer(key) ? filledKey(key, inside, walk) : key;
    const value = filled(part, inside, walk);
    if (name === undefined || value === undefined) continue;
    // A `lifecycle` that only contained a former name may become empty; then it is left out.
    if (key === LIFECYCLE && value.parts?.size === 0 && part.parts?.size !== 0) continue;
    if (parts.has(name)) walk.diagnostics.push(sameKeys(name, spanAt(walk, inside, true)));
    else parts.set(name, name === key ? value : placed(value, inside, walk));
  }
  return { ...tree, ...mapParts(parts) };
}

function filledList(tree: Tree, path: Path, walk: Walk): Tree {
  const parts = [...(tree.parts ?? [])];
  const isMoved = parts.some(([, item]) => isMapping(item) && item.parts.has(FOR_EACH));
  const told = walk.diagnostics.length;
  const items = parts.flatMap(([step, item]) => {
    const inside = [...path, step];
    if (isMapping(item) && item.parts.has(FOR_EACH))
      return walk.run.isInSets ? notRepeated(item, inside, walk) : instances(item, inside, walk);
    const value = filled(item, inside, walk) ?? item;
    return isMoved ? [placed(value, inside, walk)] : [value];
  });
  // The list is empty because of faults in its members, which are already reported.
  const isLost = parts.length > 0 && items.length === 0 && walk.diagnostics.length > told;
  return { ...tree, ...listParts(items), ...(isLost && { isBroken: true }) };
}

function notRepeated(item: Tree, path: Path, walk: Walk): Tree[] {
  walk.diagnostics.push(inSet(spanAt(walk, [...path, FOR_EACH], true)));
  return [item];
}

// A moved tree keeps the path where it is written.
const placed = (tree: Tree, path: Path, { root }: Walk): Tree =>
  tree.from ? tree : { ...tree, from: root.written(path) };

function instances(item: Tree, path: Path, walk: Walk): Tree[] {
  const name = nameOf(item, path, walk);
  const at = spanAt(walk, [...path, FOR_EACH], true);
  if (name === undefined) return [];
  if (walk.scopes.size > 1) walk.diagnostics.push(tooDeep(at));
  else if (walk.scopes.has(name)) walk.diagnostics.push(nested(name, at));
  else return instancesOf(item, path, name, walk);
  return [];
}

function nameOf(item: Tree, path: Path, walk: Walk): string | undefined {
  const as = item.parts?.get(AS);
  if (!as) return EACH;
  const { value } = as;
  if (typeof value === 'string' && isVariableName(value) && !RESERVED.has(value)) return value;
  if (!as.isBroken) walk.diagnostics.push(badName(spanAt(walk, [...path, AS])));
  return undefined;
}

const RESERVED: ReadonlySet<string> = new Set(['var', 'env', 'file', 'sops', 'yaml']);

function instancesOf(item: Tree, path: Path, name: string, walk: Walk): Tree[] {
  const { run, root, scopes } = walk;
  const entries = entriesOf(item, [...path, FOR_EACH], walk);
  if (!isWithin(entries.length, path, walk)) return [];
  addAll(walk.diagnostics, fromGrants(entries, path, walk));
  const body = withoutEach(item);
  const made: Tree[] = [];
  for (const entry of entries) {
    const inside = { ...walk, scopes: new Map([...scopes, [name, entry]]) };
    run.values += body.size;
    if (run.values > MOST_VALUES) return stopped(path, walk);
    const from: From = {
      ...root.written(path),
      role: 'object',
      instance: entry.key,
      ...(item.from && { replacedOrigin: item.from }),
    };
    made.push({ ...filledMapping(body, path, inside), from });
  }
  return made;
}

// An object belongs to its own document; the entries of its `for_each` may be in another document.
function fromGrants(entries: readonly Entry[], path: Path, walk: Walk): readonly Diagnostic[] {
  if (isOfGrant(walk.root)) return [];
  const granted = entries.find(({ home, step }) => isOfGrant(home.inside([step])));
  if (!granted) return [];
  const { key, home, step } = granted;
  return [repeatsForGrant(key, home.keyAt([step]), spanAt(walk, [...path, FOR_EACH], true))];
}

function withoutEach(tree: Tree): Tree {
  const parts = new Map(tree.parts);
  parts.delete(FOR_EACH);
  parts.delete(AS);
  return { ...tree, ...mapParts(parts) };
}

function stopped(path: Path, walk: Walk): [] {
  const { run, diagnostics } = walk;
  if (run.values !== Number.POSITIVE_INFINITY)
    diagnostics.push(tooLarge(spanAt(walk, [...path, FOR_EACH], true)));
  run.values = Number.POSITIVE_INFINITY;
  return [];
}

function isWithin(count: number, path: Path, walk: Walk): boolean {
  const { run, root, diagnostics } = walk;
  const at = spanAt(walk, [...path, FOR_EACH], true);
  const { origin } = root.written([]);
  const statement = JSON.stringify([origin.file, origin.document, path]);
  const before = run.made.get(statement) ?? 0;
  run.made.set(statement, before + count);
  run.total += count;
  if (before <= MOST_OF_ONE && before + count > MOST_OF_ONE)
    diagnostics.push(tooManyOfOne(before + count, at));
  if (before + count > MOST_OF_ONE) return false;
  if (run.total - count <= MOST_OF_ALL && run.total > MOST_OF_ALL)
    diagnostics.push(tooManyOfAll(at));
  return run.total <= MOST_OF_ALL;
}

function entriesOf(item: Tree, path: Path, walk: Walk): readonly Entry[] {
  const tree = item.parts?.get(FOR_EACH);
  if (!tree || tree.isBroken) return [];
  if (typeof tree.value === 'string' && tree.value !== '') return namedEntries(tree, path, walk);
  if (!tree.parts) {
    walk.diagnostics.push(noEntries(tree.value, spanAt(walk, path)));
    return [];
  }
  // The list of an inner `for_each` may refer to the entry of the outer one.
  const whole = filled(tree, path, walk) ?? tree;
  return reported(entriesIn(walk.root.inside(path).withTree(whole), '`for_each`'), walk);
}

function namedEntries({ value }: Tree, path: Path, walk: Walk): readonly Entry[] {
  const text = String(value);
  const reference = wholeReference(text, walk);
  if (reference) {
    const looked = lookUp(reference, walk.scopes);
    if ('tree' in looked) {
      const home = walk.root.inside(path).withTree({ ...looked.tree, from: looked.from });
      return reported(entriesIn(home, quotedBriefly(reference.text)), walk);
    }
    if (looked.fault === 'no-value' && reference.fallback === '') return [];
    const tree: Tree = { value: text, offset: 0, size: 1 };
    filledText(tree, path, walk);
    return [];
  }
  const set = walk.run.sets.byName.get(text);
  if (!set && hasOpenReference(text, walk)) {
    filledText({ value: text, offset: 0, size: 1 }, path, walk);
    return [];
  }
  if (set) return reported(entriesIn(set, `the set ${quotedBriefly(text)}`), walk);
  if (!walk.run.isCut) walk.diagnostics.push(unknownSet(text, spanAt(walk, path), walk.run.sets));
  return [];
}

function reported(
  { entries, diagnostics }: ReturnType<typeof entriesIn>,
  walk: Walk,
): readonly Entry[] {
  addAll(walk.diagnostics, diagnostics);
  return entries;
}
