// The lines of the items in a list that has an item on each line: an item with the comments that are about it. The depth of a comment
// decides: after an item, comments that are deeper than its dash are about it. From the first other comment on, they are about what
// follows. Directly above an item, comments are about it unless they are less deep. Headings, and comments that an empty line
// separates from the item, are about more than this item.
import { type CST, isMap, isPair, isSeq, type YAMLSeq } from 'yaml';
import { isHeading } from './itemComments.ts';

/** Lines of a text by number, from the first one up to the last one. */
export interface Lines {
  readonly first: number;
  readonly last: number;
}

/** A text, with the number of the line of each offset. */
export interface LinedText {
  readonly text: string;
  readonly lines: readonly string[];
  readonly lineAt: (offset: number) => number;
}

/** The lines of an item: `dash` is the line on which the item begins. */
export interface ItemLines extends Lines {
  readonly dash: number;
}

/** A text by its lines. */
export function linedText(text: string): LinedText {
  const lines = text.split('\n');
  const starts: number[] = [];
  let next = 0;
  for (const line of lines) {
    starts.push(next);
    next += line.length + 1;
  }
  const lineAt = (offset: number): number => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return { text, lines, lineAt };
}

/** The column of the dashes of a list, and the lines of its items; undefined if an item begins on the line of something else. */
export function itemLines(
  list: YAMLSeq,
  source: LinedText,
): { readonly column: number; readonly items: readonly ItemLines[] } | undefined {
  const { text, lines, lineAt } = source;
  const dashes = dashesOf(list);
  if (dashes.length !== list.items.length) return undefined;
  const depths = new Set(dashes.map(offset => offset - (text.lastIndexOf('\n', offset - 1) + 1)));
  const [column = 0] = depths;
  const starts = dashes.map(lineAt);
  const isAlone = starts.every(line => depthOf(lines[line] ?? '') === column);
  if (depths.size !== 1 || !isAlone) return undefined;
  let earliest = 0;
  const items = list.items.map((item, at): ItemLines => {
    const dash = starts[at] ?? 0;
    const end = Math.max(endOf(item) ?? 0, (dashes[at] ?? 0) + 1);
    const last = lastOwn(lines, lineAt(text.slice(0, end).trimEnd().length - 1), column);
    const first = firstOwn(lines, { dash, earliest, column });
    earliest = last + 1;
    return { dash, first, last };
  });
  return { column, items };
}

/** The number of spaces before the first other character. */
export const depthOf = (line: string): number => line.search(/[^ ]|$/);

/** Whether a line has only a comment. */
export const isComment = (line: string): boolean => /^\s*#/.test(line);

/** Whether a line is empty. */
export const isBlank = (line: string): boolean => line.trim() === '';

// The offsets of the dashes. A comment at the end of a list is an entry without a dash.
function dashesOf({ srcToken }: YAMLSeq): readonly number[] {
  if (srcToken?.type !== 'block-seq') return [];
  return (srcToken as CST.BlockSequence).items.flatMap(
    ({ start }) => start.find(({ type }) => type === 'seq-item-ind')?.offset ?? [],
  );
}

// The end of the last value in an item.
function endOf(item: unknown): number | undefined {
  for (let node = item; ; ) {
    const { range, flow } = node as YAMLSeq;
    const last: unknown = (isSeq(node) || isMap(node)) && !flow ? node.items.at(-1) : undefined;
    const inner = isPair(last) ? (last.value ?? last.key) : last;
    if (inner === undefined || inner === null) return range?.[1];
    node = inner;
  }
}

function lastOwn(lines: readonly string[], end: number, column: number): number {
  let last = end;
  for (let at = end + 1; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (isBlank(line)) continue;
    if (!isComment(line) || line.search(/\S/) <= column) break;
    last = at;
  }
  return last;
}

function firstOwn(
  lines: readonly string[],
  { dash, earliest, column }: { dash: number; earliest: number; column: number },
): number {
  let first = dash;
  for (let at = dash - 1; at >= earliest; at--) {
    const line = lines[at] ?? '';
    const isOwn = isComment(line) && line.search(/\S/) >= column;
    if (!isOwn || isHeading(line.trim().slice(1))) break;
    first = at;
  }
  return first;
}
