// Turns the node tree of a YAML document into values with their positions. Aliases and merge keys are resolved in the same pass:
// the value of an alias has the position of the alias, and the parts of the value keep the positions under the anchor.
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { addAll } from '../../model/text/longLists.ts';
import type { Json } from '../../model/value.ts';
import { quotedBriefly } from '../sentenceWords.ts';
import type { From } from './origin.ts';
import type { YamlFault } from './yamlFaults.ts';

/** A value and its position, as offsets into the text. */
export interface Tree {
  readonly value: Json;
  readonly offset: number;
  /** The offset of the key of the value; absent if it has none. */
  readonly keyOffset?: number;
  /** A plain scalar as typed. */
  readonly written?: string;
  /** Children by key, or by position. */
  readonly parts?: ReadonlyMap<string, Tree>;
  /** The number of values in the tree, including those that aliases repeat. */
  readonly size: number;
  readonly isBroken?: true;
  /** Whether `for_each` filled in a part of the text, so that the text in the file differs. */
  readonly isFilled?: boolean;
  /** Whether the mapping replaced a value of another type in a template, so that it does not merge with an earlier mapping. */
  readonly replaces?: boolean;
  /** Whether null represents a value that the object removes from an earlier layer. */
  readonly keepsRemovals?: true;
  /** The origin of the tree, if it differs from that of the surrounding tree. */
  readonly from?: From;
}

const DEEPEST = 60;
// An alias repeats its anchor. Without a limit, a page of aliases could expand to more than fits into memory.
const LARGEST = 1_000_000;
const KNOWN_TAGS = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'seq', 'map'].map(name => `tag:yaml.org,2002:${name}`),
);

interface Reading {
  readonly anchors: Map<string, Tree | 'open'>;
  readonly faults: YamlFault[];
  readonly depth: number;
}

/** The tree of a document without syntax errors. Parts that cannot be read are marked as broken, and reported. */
export function readTree(document: Document.Parsed): { tree: Tree; faults: YamlFault[] } {
  const reading: Reading = { anchors: new Map(), faults: [], depth: 0 };
  const { contents, range } = document;
  const tree = readNode(contents, range[0], reading);
  // Without aliases, a document has fewer values than characters.
  const isBomb = tree.size > LARGEST && tree.size > range[2] - range[0];
  return { tree: isBomb ? broken(reading, tooLarge(range[0])) : tree, faults: reading.faults };
}

function readNode(node: unknown, fallback: number, reading: Reading): Tree {
  if (!isNode(node)) return { value: null, offset: fallback, size: 1 };
  const offset = node.range?.[0] ?? fallback;
  if (isAlias(node)) return readAlias(node.source, offset, reading);
  const fault = faultOf(node, reading.depth);
  if (fault) return broken(reading, { ...fault, offset });
  const anchor = node.anchor;
  if (anchor !== undefined) reading.anchors.set(anchor, 'open');
  const tree = readContent(node, offset, fallback, { ...reading, depth: reading.depth + 1 });
  if (anchor !== undefined) reading.anchors.set(anchor, tree);
  return tree;
}

function faultOf(
  { tag }: Scalar | YAMLMap | YAMLSeq,
  depth: number,
): { message: string; hint: string } | null {
  if (depth > DEEPEST) {
    const message = `this is nested more than ${DEEPEST} levels deep`;
    return { message, hint: 'no field needs this depth' };
  }
  if (tag === undefined || KNOWN_TAGS.has(tag)) return null;
  return {
    message: 'a tag has no meaning here',
    hint: 'remove it; write a variable as ${var:NAME}',
  };
}

function readContent(
  node: Scalar | YAMLMap | YAMLSeq,
  offset: number,
  fallback: number,
  reading: Reading,
): Tree {
  if (isScalar(node)) return readScalar(node, offset, fallback);
  return isMap(node) ? readMap(node, offset, reading) : readList(node, offset, reading);
}

// An empty value has the position of its key, because there is nothing after the colon to point at.
function readScalar(node: Scalar, offset: number, fallback: number): Tree {
  const isPlain = node.type === 'PLAIN' || node.type === undefined;
  const value = (node.value ?? null) as Json;
  const isThere = node.source !== undefined && node.source !== '';
  return {
    value,
    offset: isThere || !isPlain ? offset : fallback,
    ...(isPlain && node.source !== undefined && { written: node.source }),
    size: 1,
  };
}

function readList(node: YAMLSeq, offset: number, reading: Reading): Tree {
  const items = node.items.map((item, i) => {
    const own = isNode(item) ? (item.range?.[0] ?? offset) : offset;
    return [String(i), readNode(item, own, reading)] as const;
  });
  return { offset, ...listParts(items.map(([, item]) => item)) };
}

/** The value, parts and size of a tree for a list with these members. */
export function listParts(
  items: readonly Tree[],
): Required<Pick<Tree, 'value' | 'parts' | 'size'>> {
  return {
    value: items.map(({ value }) => value),
    parts: new Map(items.map((item, i) => [String(i), item])),
    size: sizeOf(items),
  };
}

/** The value, parts and size of a tree for a mapping with these values. */
export function mapParts(
  parts: ReadonlyMap<string, Tree>,
): Required<Pick<Tree, 'value' | 'parts' | 'size'>> {
  return {
    // Made from entries, because assigning to `__proto__` would not create a key.
    value: Object.fromEntries([...parts].map(([key, part]) => [key, part.value])),
    parts,
    size: sizeOf([...parts.values()]),
  };
}

function readMap(node: YAMLMap, offset: number, reading: Reading): Tree {
  const parts = new Map<string, Tree>();
  const merged: Tree[] = [];
  for (const pair of node.items) {
    const keyOffset = isNode(pair.key) ? (pair.key.range?.[0] ?? offset) : offset;
    const value = readNode(pair.value, keyOffset, reading);
    if (isMergeKey(pair)) {
      addAll(merged, mergedTrees(value, keyOffset, reading));
      continue;
    }
    const key = keyText(pair.key, reading);
    const first = key === null ? undefined : parts.get(key);
    if (key === null) reading.faults.push(oddKey(keyOffset));
    else if (first) reading.faults.push(duplicateKey(key, keyOffset));
    else parts.set(key, { ...value, keyOffset });
  }
  for (const source of merged) {
    for (const [key, value] of source.parts ?? []) if (!parts.has(key)) parts.set(key, value);
  }
  return { offset, ...mapParts(parts) };
}

const sizeOf = (parts: readonly Tree[]): number => parts.reduce((sum, { size }) => sum + size, 1);

function readAlias(name: string, offset: number, reading: Reading): Tree {
  const found = reading.anchors.get(name);
  if (found === undefined) {
    return broken(reading, {
      message: '`*` makes this an alias, but no anchor above it has that name',
      hint: 'if this is text, put it in quotes; write an anchor as &name before its value',
      offset,
    });
  }
  if (found === 'open') {
    const hint = 'write it out';
    return broken(reading, {
      message: 'this alias is inside the value that it repeats',
      hint,
      offset,
    });
  }
  const { keyOffset, ...tree } = found;
  return { ...tree, offset };
}

// The values of `<<`: one mapping, or a list of mappings. If several mappings have a key, the first wins.
function mergedTrees(value: Tree, offset: number, reading: Reading): Tree[] {
  if (value.isBroken) return [];
  const sources = Array.isArray(value.value) ? [...(value.parts?.values() ?? [])] : [value];
  if (sources.every(({ value: source, parts }) => parts && !Array.isArray(source))) return sources;
  const message = '`<<` needs an alias of a mapping, or a list of aliases';
  broken(reading, { message, hint: 'anchor the mapping with &name, then write <<: *name', offset });
  return [];
}

function isMergeKey({ key }: Pair): boolean {
  return isScalar(key) && key.source === '<<' && key.type === 'PLAIN';
}

// Keys are texts: `007:` is not the number 7.
function keyText(key: unknown, reading: Reading): string | null {
  if (key === null || key === undefined) return '';
  if (isAlias(key)) {
    const found = reading.anchors.get(key.source);
    return typeof found === 'object' && !found.parts ? String(found.written ?? found.value) : null;
  }
  return isScalar(key) ? (key.source ?? String(key.value ?? '')) : null;
}

function broken(reading: Reading, fault: Omit<YamlFault, 'code'>): Tree {
  reading.faults.push({ code: 'SOURCE_YAML', ...fault });
  return { value: null, offset: fault.offset, size: 1, isBroken: true };
}

const tooLarge = (offset: number): Omit<YamlFault, 'code'> => ({
  message: `with its aliases expanded, this has more than ${LARGEST} values`,
  hint: 'write the values out, or use fewer aliases',
  offset,
});

const oddKey = (offset: number): YamlFault => ({
  code: 'SOURCE_YAML',
  message: 'a key must be plain text',
  hint: 'remove the `?`, the brackets or the braces around it',
  offset,
});

const duplicateKey = (key: string, offset: number): YamlFault => ({
  code: 'SOURCE_DUPLICATE_KEY',
  message: `${quotedBriefly(key)} is defined twice in one mapping`,
  hint: 'remove one of the two: a mapping holds one value for each key',
  offset,
});
