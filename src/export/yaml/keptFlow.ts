// Keeps the text of lists and mappings in brackets that are written on several lines: the library prints them on one line, without
// the line breaks of their author. Entries that an edit takes out are cut from the text, and everything else stays as it is.
import { isCollection, isNode, isPair, type Node, type YAMLMap, type YAMLSeq } from 'yaml';
import { addAll } from '../../model/text/longLists.ts';

type Collection = YAMLMap | YAMLSeq;

/** Returns the text of a collection in brackets after an edit; null if the edit did more than take entries out. */
export type KeptFlow = () => string | null;

/** Remembers a collection in brackets as it is written; null if it is on one line. */
export function keptFlow(node: Collection, text: string): KeptFlow | null {
  const [from = 0, to = 0] = node.range ?? [];
  if (!node.flow || !text.slice(from, to).includes('\n')) return null;
  const before = remembered(node);
  return () => {
    const cuts = cutsIn(before, text);
    if (cuts === null) return null;
    let kept = '';
    let next = from;
    for (const cut of cuts.toSorted((one, other) => one.from - other.from)) {
      kept += text.slice(next, Math.max(next, cut.from));
      next = Math.max(next, cut.to);
    }
    return kept + text.slice(next, to);
  };
}

/** A collection with its entries before the edit. */
interface Remembered {
  readonly node: Collection;
  readonly entries: readonly Entry[];
}

interface Entry {
  readonly item: unknown;
  readonly value: unknown;
  readonly from: number;
  readonly to: number;
  readonly inner: Remembered | null;
}

function remembered(node: Collection): Remembered {
  const entries = (node.items as readonly unknown[]).map((item): Entry => {
    const value = isPair(item) ? item.value : item;
    const first = isPair(item) ? item.key : item;
    const [from = 0, end = from] = rangeOf(first);
    const [, to = end] = rangeOf(value);
    const inner = isCollection(value) ? remembered(value as Collection) : null;
    return { item, value, from, to: Math.max(end, to), inner };
  });
  return { node, entries };
}

const rangeOf = (node: unknown): readonly number[] =>
  isNode(node) ? ((node as Node).range ?? []) : [];

interface Cut {
  readonly from: number;
  readonly to: number;
}

// The parts of the text that are to be cut, which may overlap; null if something was added or replaced.
function cutsIn({ node, entries }: Remembered, text: string): readonly Cut[] | null {
  const items = node.items as readonly unknown[];
  const now = new Set(items);
  const stay = entries.filter(({ item }) => now.has(item));
  const isSame = stay.length === items.length && stay.every(({ item }, i) => item === items[i]);
  if (!isSame || (stay.length === 0 && entries.length > 0)) return null;
  const cuts: Cut[] = [];
  for (const [i, entry] of entries.entries()) {
    if (!now.has(entry.item)) {
      cuts.push(cutOf(entry, { before: entries[i - 1], next: entries[i + 1] }, text));
      continue;
    }
    const value = isPair(entry.item) ? entry.item.value : entry.item;
    if (value !== entry.value) return null;
    const inner = entry.inner === null ? [] : cutsIn(entry.inner, text);
    if (inner === null) return null;
    addAll(cuts, inner);
  }
  return cuts;
}

// An entry on lines of its own is cut with these lines and the comment after it; any other entry is cut with its comma.
function cutOf(
  { from, to }: Entry,
  { before, next }: { readonly before: Entry | undefined; readonly next: Entry | undefined },
  text: string,
): Cut {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const [rest = ''] = text.slice(to).match(/^[ \t]*,?[ \t]*(?:#[^\n]*)?\n/) ?? [];
  if (text.slice(start, from).trim() === '' && rest !== '')
    return { from: start, to: to + rest.length };
  const isBeforeNext = next !== undefined && !text.slice(to, next.from).includes('\n');
  if (next !== undefined && (isBeforeNext || before === undefined)) return { from, to: next.from };
  return { from: before?.to ?? from, to };
}
