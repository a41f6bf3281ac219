// Reads the metadata of a SOPS-encrypted file, which names its keys, in each of its formats. `sops` is written in Go, and its
// parsers accept more than others, such as keys in any case. An ambiguous file is therefore not read at all.
import { isAlias, isMap, isScalar, isSeq, type Node, parseAllDocuments } from 'yaml';
import { addAll } from '../../model/text/longLists.ts';
import { isList, isObject, type Json, type Path } from '../../model/value.ts';

/** A value in the metadata. */
export interface MetadataValue {
  /** Its path: `hc_vault`, `0`, `vault_address`. */
  readonly path: Path;
  readonly text: string;
}

/** The format of an encrypted file, by its name in `sops`. */
export type SopsFormat = 'yaml' | 'json' | 'dotenv' | 'ini' | 'binary';

const FORMATS: readonly (readonly [ending: string, format: SopsFormat])[] = [
  ['.yaml', 'yaml'],
  ['.yml', 'yaml'],
  ['.json', 'json'],
  ['.env', 'dotenv'],
  ['.ini', 'ini'],
];

/** The format that `sops` expects in a file with this name. */
export const sopsFormat = (file: string): SopsFormat =>
  FORMATS.find(([ending]) => file.endsWith(ending))?.[1] ?? 'binary';

/** The values of the metadata; null if the text has none, or can be read in more than one way. */
export function metadataOf(text: string, format: SopsFormat): readonly MetadataValue[] | null {
  // Refuses text in another encoding, which a reader may detect, and broken text.
  if (text.includes('\0') || /[\ufeff\ufffd]/.test(text)) return null;
  const values = READERS[format](text);
  const isUnambiguous = new Set(values?.map(({ path }) => path.join('\n'))).size === values?.length;
  return values && values.length > 0 && isUnambiguous ? values : null;
}

const READERS: Readonly<Record<SopsFormat, (text: string) => MetadataValue[] | null>> = {
  yaml: inYaml,
  json: inJson,
  binary: inJson,
  dotenv: text => inLines(text, /^sops_(.+)$/s),
  // Sections are ignored: a value of several lines could hide where a section begins.
  ini: text => inLines(text, /^(.+)$/s),
};

// Returns the values of every document, although `sops` reads only the metadata of the first.
function inYaml(text: string): MetadataValue[] | null {
  const documents = parseAllDocuments(text, { uniqueKeys: true });
  if (!Array.isArray(documents)) return null;
  const found: MetadataValue[] = [];
  for (const { contents, errors, warnings } of documents) {
    if (errors.length + warnings.length > 0) return null;
    const plain = plainOf(contents, 1);
    if (plain === undefined || !isObject(plain)) return null;
    addAll(found, valuesIn(plain.sops ?? null, []));
  }
  return found;
}

// Returns the metadata of a node, without other data. Undefined if there are aliases, merged maps or tags in the keys of the
// document or in the metadata: they may change what a key or a value is.
function plainOf(node: Node | null, depth: number): Json | undefined {
  if (node === null) return null;
  if (isAlias(node) || node.tag !== undefined) return undefined;
  if (isScalar(node)) return typeof node.value === 'string' ? node.value : String(node.value);
  if (isSeq(node)) return listOf(node.items as Node[], depth);
  return isMap(node) ? mapOf(node.items as readonly MapItem[], depth) : undefined;
}

interface MapItem {
  readonly key: Node;
  readonly value: Node | null;
}

function listOf(items: readonly Node[], depth: number): Json | undefined {
  const list = items.map(item => plainOf(item, depth + 1));
  return list.includes(undefined) ? undefined : (list as Json[]);
}

function mapOf(items: readonly MapItem[], depth: number): Json | undefined {
  const entries: [string, Json][] = [];
  for (const { key, value } of items) {
    const name = plainOf(key, depth + 1);
    if (typeof name !== 'string' || name === '<<') return undefined;
    if (depth === 1 && name !== 'sops') continue;
    const plain = plainOf(value, depth + 1);
    if (plain === undefined) return undefined;
    entries.push([name, plain]);
  }
  return Object.fromEntries(entries);
}

function inJson(text: string): MetadataValue[] | null {
  const value = parsed(text);
  if (!isObject(value) || keysIn(text) !== countKeys(value)) return null;
  const found = Object.entries(value).filter(([name]) => folded(name) === 'sops');
  return found.flatMap(([, metadata]) => valuesIn(metadata, []));
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

// The number of keys as written. A key that is written twice is parsed only once, so the numbers differ.
const keysIn = (json: string): number =>
  [...json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined).length;

function countKeys(value: Json): number {
  const open = [value];
  let count = 0;
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (isList(one)) addAll(open, one);
    if (!isObject(one)) continue;
    const items = Object.values(one);
    count += items.length;
    addAll(open, items);
  }
  return count;
}

// The name as a parser that ignores case sees it: `ſ` counts as an s.
const folded = (name: string): string => name.normalize('NFKC').toLowerCase();

/** Metadata is not nested deeper. */
const DEEPEST = 8;

function valuesIn(value: Json, path: Path): MetadataValue[] {
  if (path.length > DEEPEST) return [{ path, text: '' }];
  if (isList(value)) return value.flatMap((item, i) => valuesIn(item, [...path, String(i)]));
  if (isObject(value))
    return Object.entries(value).flatMap(([name, item]) => valuesIn(item, [...path, folded(name)]));
  return value === null ? [] : [{ path, text: String(value) }];
}

// A value in a line: `hc_vault__list_0__map_vault_address=https://…`.
function inLines(text: string, name: RegExp): MetadataValue[] | null {
  const found: MetadataValue[] = [];
  for (const line of text.split('\n')) {
    const [, key = '', value = ''] =
      line.match(/^[\s\u0085"'`]*([^=:]*?)[\s\u0085"'`]*[=:](.*)$/s) ?? [];
    const [, flat = ''] = key.match(name) ?? [];
    if (!flat.includes('__list_')) continue;
    const path = flat.split(/__(?:list|map)_/).map(folded);
    const lists = flat.match(/__list_.*?(?=__|$)/gs) ?? [];
    if (lists.some(position => !/^__list_(?:0|[1-9]\d*)$/.test(position))) return null;
    found.push({ path, text: value.trim() });
  }
  return found;
}
