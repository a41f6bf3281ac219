// The comments of a list in which new items take the place of removed ones: the text of the other lists loses just the lines of their
// items (cutItems.ts). A comment directly above an item is removed with the item. Headings, and comments that an empty line separates
// from the item, stay, because they are about more than this item.
import type { Node, YAMLSeq } from 'yaml';

/** Inputs besides the list. */
interface Around {
  /** The item that is added instead, if there is one. */
  readonly added?: Node | undefined;
}

/** Removes items from a list, whether it has an item on each line or is in brackets, and settles its comments. */
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
