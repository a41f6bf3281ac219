// Cuts items from the text of lists that have an item on each line. Nothing else of the text changes, so no other comment is lost or
// gets another depth.
import { type Document, isNode, visit, type YAMLSeq } from 'yaml';
import { type ItemLines, isBlank, isComment, itemLines, linedText } from './itemLines.ts';
import { placeOf } from './places.ts';

/** A text without the items that an edit removed. */
interface CutText {
  readonly text: string;
  /** The places of the removed items. */
  readonly cut: ReadonlySet<string>;
}

/**
 * The text without the items that an edit removed from lists. `before`: the documents of the text, with their tokens; `after`: the
 * documents after the edit. Items of a list to which the edit also added something stay in the text, because a new item may take the
 * place of a removed one.
 */
export function withoutRemoved(
  text: string,
  before: readonly Document[],
  after: readonly Document[],
): CutText {
  const source = linedText(text);
  const left = new Map(listsIn(after).map(list => [placeOf(list), list]));
  const cut = new Set<string>();
  const lines: (string | null)[] = Array.from(source.lines);
  const starts = new Set<number>();
  for (const list of listsIn(before)) {
    const now = left.get(placeOf(list));
    const gone = now ? removedFrom(list, now) : [];
    const found = gone.length > 0 ? itemLines(list, source) : undefined;
    if (found === undefined) continue;
    const own = gone.flatMap(at => found.items[at] ?? []);
    for (const { first, last } of own) lines.fill(null, first, last + 1);
    for (const at of gone) cut.add(placeOf(list.items[at]));
    const [first] = own;
    if (first && gone.length === list.items.length) empty(lines, first, found.column);
    else if (first && gone[0] === 0) starts.add(first.first);
  }
  return { text: joined(lines, starts), cut };
}

function listsIn(documents: readonly Document[]): readonly YAMLSeq[] {
  const lists: YAMLSeq[] = [];
  for (const document of documents)
    visit(document, {
      Seq: (_, list) => {
        if (list.range) lists.push(list);
      },
    });
  return lists;
}

/** The positions of the items that a list lost; none if the list also got items. */
function removedFrom(list: YAMLSeq, now: YAMLSeq): readonly number[] {
  const left = new Set(now.items.map(placeOf));
  const isLonger = now.items.some(item => !isNode(item) || !item.range);
  return isLonger ? [] : list.items.flatMap((item, at) => (left.has(placeOf(item)) ? [] : [at]));
}

// Writes an empty list in place of all items of a list.
function empty(lines: (string | null)[], { first, dash }: ItemLines, column: number): void {
  const key = lines[first - 1];
  if (key?.trimEnd().endsWith(':') && !isComment(key)) {
    lines[first - 1] = `${key.trimEnd()} []`;
    return;
  }
  const above = lines.findLast((line, at) => at < first && line !== null && !isApart(line)) ?? '';
  // A list may be as deep as its key, but not in brackets.
  const isAsDeep = above.search(/[^ -]|$/) >= column && above !== '';
  lines[dash] = `${' '.repeat(isAsDeep ? column + 2 : column)}[]`;
}

const isApart = (line: string): boolean => isBlank(line) || isComment(line);

// The lines that stay. The empty lines above cut lines are cut too, unless they separate a comment from what follows.
function joined(lines: readonly (string | null)[], starts: ReadonlySet<number>): string {
  const kept: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    if (typeof line === 'string') {
      kept.push(line);
      at++;
      continue;
    }
    const isFirst = starts.has(at);
    at = endOfCut(lines, at);
    const next = lines[at] ?? '';
    const above = kept.findLast(one => !isBlank(one)) ?? '';
    const separates = isComment(above) || isComment(next);
    if (isBlank(next) || !separates) while (isBlank(kept.at(-1) ?? '#')) kept.pop();
    if (isFirst && !isComment(above))
      while (at < lines.length - 1 && isBlank(lines[at] ?? '#')) at++;
  }
  return kept.join('\n');
}

// The line after cut lines, which may have empty lines between them.
function endOfCut(lines: readonly (string | null)[], from: number): number {
  let end = from;
  for (let at = from; at < lines.length; at++) {
    const line = lines[at];
    if (line === null) end = at + 1;
    else if (!isBlank(line ?? '#')) break;
  }
  return end;
}
