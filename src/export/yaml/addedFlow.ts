// Inserts the entries that an edit adds into the text of a list or mapping in brackets: on a separate line if the entry before is
// on a separate line, otherwise after a comma. Values that the edit replaced are also replaced in the text.
import { Document, isCollection, isNode, isPair, parseDocument, YAMLMap, YAMLSeq } from 'yaml';
import { addAll } from '../../model/text/longLists.ts';
import {
  type Collection,
  type Entry,
  type Extent,
  entryValue,
  extentOf,
  itemsOf,
  type Remembered,
  staying,
} from './flowEntries.ts';
import { documentText } from './nodes.ts';
import { escapedTag } from './scalars.ts';

/**
 * The text of a collection with the entries that an edit has added. `text` contains only the entries that stay. Null if the new
 * entries do not fit into the text.
 */
export function withAdded(text: string, before: Remembered): string | null {
  if (!isAddedTo(before)) return text;
  const { contents } = parseDocument(text, SETTINGS);
  const edits = isCollection(contents) ? editsIn(before, contents as Collection, text) : null;
  if (edits === null) return null;
  return edits
    .toSorted((one, other) => other.from - one.from)
    .reduce((now, { from, to, by }) => now.slice(0, from) + by + now.slice(to), text);
}

const SETTINGS = { uniqueKeys: false, customTags: [escapedTag] };

/** A part of the text, and the text that replaces it. */
interface TextEdit extends Extent {
  readonly by: string;
}

const insertion = (at: number, by: string): TextEdit => ({ from: at, to: at, by });

// Whether anything was added or replaced, which is rare: only then is the text parsed.
function isAddedTo({ node, entries }: Remembered): boolean {
  const known = new Map(entries.map(entry => [entry.item, entry]));
  return itemsOf(node).some(item => {
    const entry = known.get(item);
    if (entry === undefined || entryValue(item) !== entry.value) return true;
    return entry.inner !== null && isAddedTo(entry.inner);
  });
}

// `parsed` is the collection as the text has it.
function editsIn(before: Remembered, parsed: Collection, text: string): TextEdit[] | null {
  const stay = staying(before);
  const places = itemsOf(parsed);
  if (places.length !== stay.length || places.length === 0) return null;
  const { replaced, fresh } = changesOf(before, stay);
  const edits: TextEdit[] = [];
  for (const [i, entry] of stay.entries()) {
    const own =
      i === 0 && replaced !== undefined
        ? replacement(extentOf(places[i]), replaced)
        : editsOf(entry, places[i], text);
    if (own === null) return null;
    addAll(edits, own);
  }
  for (const [i, items] of fresh.entries()) {
    const texts = items.map(printed);
    if (texts.length === 0) continue;
    if (texts.some(one => one === null)) return null;
    const put = i === 0 ? putBefore(places[0], text) : putAfter(extentOf(places[i - 1]), text);
    if (put === null) return null;
    addAll(edits, put(texts as string[]));
  }
  return edits;
}

/** The entry that takes the place of the only one in the text, and the new entries before the first one and after each. */
interface Changes {
  readonly replaced: unknown;
  readonly fresh: readonly (readonly unknown[])[];
}

function changesOf({ node }: Remembered, stay: readonly Entry[]): Changes {
  const placeOf = new Map(stay.map(({ item }, i) => [item, i]));
  const items = itemsOf(node);
  const isReplaced = !items.some(item => placeOf.has(item));
  const fresh: unknown[][] = Array.from({ length: stay.length + 1 }, () => []);
  let after = 0;
  for (const [i, item] of items.entries()) {
    const place = isReplaced && i === 0 ? 0 : placeOf.get(item);
    if (place === undefined) fresh[after]?.push(item);
    else after = place + 1;
  }
  return { replaced: isReplaced ? items[0] : undefined, fresh };
}

function replacement(extent: Extent, item: unknown): readonly TextEdit[] | null {
  const by = printed(item);
  return by === null ? null : [{ ...extent, by }];
}

// The edits inside an entry that stays.
function editsOf(entry: Entry, parsed: unknown, text: string): readonly TextEdit[] | null {
  const value = entryValue(entry.item);
  const place = entryValue(parsed);
  if (value === entry.value) {
    if (entry.inner === null || !isAddedTo(entry.inner)) return [];
    return isCollection(place) ? editsIn(entry.inner, place as Collection, text) : null;
  }
  const { from, to } = extentOf(place);
  return to > from ? replacement({ from, to }, value) : null;
}

// An entry as the text of a collection in brackets; null if it has several lines.
function printed(item: unknown): string | null {
  const holder = isPair(item) ? new YAMLMap() : new YAMLSeq();
  holder.items.push(item as never);
  holder.flow = true;
  const text = documentText(new Document(holder, SETTINGS)).trim().slice(1, -1).trim();
  return text.includes('\n') ? null : text;
}

type Put = (texts: readonly string[]) => readonly TextEdit[];

// The indentation of an entry that begins its line; undefined for other entries, and for those beside the opening bracket.
function indentation(from: number, text: string): string | undefined {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const indent = text.slice(start, from);
  return start > 0 && indent.trim() === '' ? indent : undefined;
}

function putBefore(first: unknown, text: string): Put | null {
  const node = isPair(first) ? first.key : first;
  // An anchor or a tag is written before the place of its node.
  if (isNode(node) && ('anchor' in node ? node.anchor : node.tag) !== undefined) return null;
  const { from } = extentOf(first);
  const indent = indentation(from, text);
  const gap = indent === undefined ? ', ' : `,\n${indent}`;
  return texts => [insertion(from, texts.map(one => one + gap).join(''))];
}

const IS_LAST = /^(?:\s|#[^\n]*\n)*[\]}]/;

function putAfter({ from, to }: Extent, text: string): Put {
  const indent = indentation(from, text);
  const rest = text.slice(to);
  const [line, comma] = rest.match(/^[ \t]*(,?)[ \t]*(?:#[^\n]*)?\n/) ?? [];
  if (indent !== undefined && line !== undefined) {
    const next = to + line.length;
    if (comma === ',')
      return texts => [insertion(next, texts.map(one => `${indent}${one},\n`).join(''))];
    if (IS_LAST.test(rest))
      return texts => [
        insertion(to, ','),
        insertion(next, `${texts.map(one => indent + one).join(',\n')}\n`),
      ];
  }
  const isClosed = indent !== undefined && /^[ \t]*[\]}]/.test(rest);
  const gap = isClosed ? `,\n${indent}` : ', ';
  return texts => [insertion(to, texts.map(one => gap + one).join(''))];
}
