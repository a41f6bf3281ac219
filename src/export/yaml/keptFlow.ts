// Keeps the text of lists and mappings in brackets that are written on several lines: the library prints them on one line,
// without the line breaks of their author. Entries that an edit takes out are cut from the text, entries that it adds are
// inserted, and everything else stays as it is.
import { isMap } from 'yaml';
import { addAll } from '../../model/text/longLists.ts';
import { withAdded } from './addedFlow.ts';
import {
  type Collection,
  type Entry,
  type Extent,
  entryValue,
  itemsOf,
  type Remembered,
  remembered,
  staying,
} from './flowEntries.ts';
import { isHeading } from './itemComments.ts';

/** Returns the text of a collection in brackets after an edit; null if the edit does not fit into the text. */
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
    return withAdded(kept + text.slice(next, to), before);
  };
}

// The parts of the text that must be cut; they may overlap. Null if the edit removed all entries, or changed their order.
function cutsIn(before: Remembered, text: string): readonly Extent[] | null {
  const { node, entries } = before;
  const stay = staying(before);
  const places = new Map(stay.map(({ item }, place) => [item, place]));
  const order = itemsOf(node).flatMap(item => places.get(item) ?? []);
  const isSorted = order.every((place, i) => place === i);
  if (!isSorted || (stay.length === 0 && entries.length > 0)) return null;
  const cuts: Extent[] = [];
  for (const [i, entry] of entries.entries()) {
    if (!places.has(entry.item)) {
      cuts.push(cutOf(entry, { before: entries[i - 1], next: entries[i + 1] }, text));
      continue;
    }
    if (order.length === 0 && !isChangedMap(before)) cuts.push(commentOf(entry, text));
    const isSame = entryValue(entry.item) === entry.value && entry.inner !== null;
    const inner = isSame ? cutsIn(entry.inner, text) : [];
    if (inner === null) return null;
    addAll(cuts, inner);
  }
  return cuts;
}

// A mapping without a name, such as a range of ports, counts as the former one with other values, and keeps its comment.
const isChangedMap = ({ entries }: Remembered): boolean =>
  entries.length === 1 && isMap(entries[0]?.item);

// The comment after an entry, on its line.
function commentOf({ to }: Entry, text: string): Extent {
  const [, comma = '', comment = ''] = text.slice(to).match(/^([ \t]*,?)([ \t]*#[^\n]*)?/) ?? [];
  const from = to + comma.length;
  return { from, to: from + comment.length };
}

// The start of the comment directly above a line, without headings.
function ownCommentStart(text: string, start: number): number {
  let own = start;
  for (;;) {
    const above = text.lastIndexOf('\n', own - 2) + 1;
    const [, line] = text.slice(above, own).match(/^[ \t]*#(.*)\n$/) ?? [];
    if (line === undefined || isHeading(line)) return own;
    own = above;
  }
}

// The part of the text to cut for an entry: with its lines and comments if no other entry is on these lines, otherwise with its
// comma.
function cutOf(
  { from, to }: Entry,
  { before, next }: { readonly before: Entry | undefined; readonly next: Entry | undefined },
  text: string,
): Extent {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const [rest = ''] = text.slice(to).match(/^[ \t]*,?[ \t]*(?:#[^\n]*)?\n/) ?? [];
  if (text.slice(start, from).trim() === '' && rest !== '')
    return { from: ownCommentStart(text, start), to: to + rest.length };
  const isBeforeNext = next !== undefined && !text.slice(to, next.from).includes('\n');
  if (next !== undefined && (isBeforeNext || before === undefined)) return { from, to: next.from };
  return { from: before?.to ?? from, to };
}
