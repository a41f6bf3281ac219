// The comments of a list from which items are removed. A comment directly above an item is removed with the item. Headings, and
// comments that an empty line separates from the item, stay, because they are about more than this item.
import { isMap, isPair, isSeq, type Node, type YAMLSeq } from 'yaml';

/** Inputs besides the list. */
interface Around {
  /** The item that is added instead, if there is one. */
  readonly added?: Node | undefined;
  /** The comment after an item that is not about it. */
  readonly after?: (item: unknown) => string;
}

/** Removes items from a list, whether it has an item on each line or is in brackets. */
export function takeOut(list: YAMLSeq, gone: ReadonlySet<unknown>, around: Around = {}): void {
  const items = list.items as Node[];
  list.items = items.filter(item => !gone.has(item));
  // The text of a list in brackets is edited by its lines.
  if (list.flow) return;
  let carried: Carried = NOTHING;
  for (const [i, item] of items.entries()) {
    const isFirst = item === list.items[0];
    if (gone.has(item)) {
      carried = joined(carried, takenFrom(list, i === 0 ? null : item));
      carried = joined(carried, textAfter(item, around));
    } else {
      if (isFirst && i > 0) item.spaceBefore = false;
      if (carried.text !== '') putAbove(item, carried, isFirst ? list : null);
      carried = NOTHING;
    }
  }
  if (carried.text === '') return;
  if (around.added) putAbove(around.added, carried, list.items.length === 0 ? list : null);
  else list.comment = atEnd(carried, list.comment ?? '');
}

/** A comment that stays although its item is removed. A line feed at its end represents an empty line. */
interface Carried {
  readonly text: string;
  /** Whether an empty line is before it. */
  readonly isApart: boolean;
}

const NOTHING: Carried = { text: '', isApart: false };

// The library gives the comment above the first item to the list.
function takenFrom(list: YAMLSeq, item: Node | null): Carried {
  if (item) return { text: lasting(item.commentBefore), isApart: item.spaceBefore === true };
  list.commentBefore = lasting(list.commentBefore) || null;
  return NOTHING;
}

function textAfter(item: Node, { after }: Around): Carried {
  return textOf(after?.(item) ?? '');
}

// A line feed at the beginning represents an empty line.
const textOf = (text: string): Carried => ({
  text: text.replace(/^\n/, ''),
  isApart: text.startsWith('\n'),
});

// The library ignores an empty line before the comment at the end of a list, so the empty line is kept here.
const atEnd = ({ text, isApart }: Carried, end: string): string =>
  [isApart ? '' : [], text.trimEnd(), end === '' ? [] : end].flat().join('\n');

function joined(one: Carried, other: Carried): Carried {
  if (one.text === '') return other;
  if (other.text === '') return one;
  const gap = other.isApart && !one.text.endsWith('\n') ? '\n\n' : '\n';
  return { text: one.text + gap + other.text, isApart: one.isApart };
}

// Above the first item, the comment follows that of the list.
function putAbove(item: Node, carried: Carried, list: YAMLSeq | null): void {
  const own = { text: item.commentBefore ?? '', isApart: item.spaceBefore === true };
  item.commentBefore = joined(carried, own).text;
  if (list === null) item.spaceBefore = carried.isApart;
  else if (list.commentBefore && carried.isApart && !list.commentBefore.endsWith('\n'))
    list.commentBefore += '\n';
}

// The part of the comment above an item that is not only about the item.
function lasting(above: string | null | undefined): string {
  const lines = (above ?? '').split('\n');
  const last = lines.findLastIndex(line => line.trim() === '' || isHeading(line));
  return lines.slice(0, last + 1).join('\n');
}

/** Whether a line of a comment is the heading of a section, such as `# ---- servers ----`. `line`: without its `#`. */
export const isHeading = (line: string): boolean =>
  /^\s*([-=*~_#])\1\1|([-=*~_#])\2\2\s*$/.test(line);

/**
 * The comment after an item of a list that is not about the item: from the first line that is not indented deeper than the list.
 * The library assigns all comments after a mapping to the mapping. A line feed at the beginning or the end represents an empty
 * line.
 */
export function commentAfter(item: unknown, list: YAMLSeq, text: string): string {
  const { own, end } = lastPartOf(item);
  const dash = list.range?.[0] ?? 0;
  if (end === undefined || text[dash] !== '-') return '';
  const column = dash - text.lastIndexOf('\n', dash - 1) - 1;
  // A block of text ends after its last line.
  const [rest = '', ...lines] = text.slice(text[end - 1] === '\n' ? end - 1 : end).split('\n');
  const length = lines.findIndex(line => !/^\s*(?:#|$)/.test(line));
  const around = lines.slice(0, length < 0 ? lines.length : length);
  const first = around.findIndex(line => line.trim() !== '' && line.search(/\S/) <= column);
  if (first < 0) return '';
  // What the library gave to the next item stays with it.
  const mine = Math.max(own - (rest.includes('#') ? 1 : 0), 0);
  const comments = around.flatMap((line, at) => (line.trim() === '' ? [] : [at]));
  const until = comments[mine] ?? around.length;
  const before = around[first - 1]?.trim() === '' ? '\n' : '';
  const kept = around.slice(first, Math.max(until, first)).map(line => line.trim().slice(1));
  return kept.length === 0 ? '' : before + kept.join('\n');
}

// The end of the last value in an item, and how many lines of comments the library gave to the nodes that end with it.
function lastPartOf(item: unknown): { readonly own: number; readonly end: number | undefined } {
  let own = 0;
  for (let node = item; ; ) {
    const { comment, range, flow } = node as YAMLSeq;
    own += (comment ?? '').split('\n').filter(line => line.trim() !== '').length;
    const last: unknown = (isSeq(node) || isMap(node)) && !flow ? node.items.at(-1) : undefined;
    const inner = isPair(last) ? (last.value ?? last.key) : last;
    if (inner === undefined || inner === null) return { own, end: range?.[1] };
    node = inner;
  }
}
