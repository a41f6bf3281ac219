// Edits a YAML file in place: its documents, the mappings in them by position, and its new text.
import isEqual from 'fast-deep-equal';
import {
  type Document,
  isMap,
  LineCounter,
  parseAllDocuments,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Span } from '../../model/diagnostic.ts';
import { withoutRemoved } from './cutItems.ts';
import { takeOut } from './itemComments.ts';
import { keptFlow } from './keptFlow.ts';
import { withChangedLines } from './keptLines.ts';
import { withLineEnds } from './lineEnds.ts';
import { documentText, padded } from './nodes.ts';
import { withCommentsOf } from './places.ts';
import { escapedTag } from './scalars.ts';

/** An open file. */
export interface EditedFile {
  readonly documents: readonly Document[];
  /** The mapping that starts at a position; undefined if it is an alias. */
  readonly mapAt: (span: Span) => YAMLMap | undefined;
  /**
   * Removes the list entry that starts at a position, unless it is written as an alias, or an alias elsewhere repeats an anchored
   * part of it.
   */
  readonly remove: (span: Span) => 'removed' | 'alias' | 'anchored';
  readonly text: () => string;
}

/** Opens a file with valid YAML. */
export function edited(source: string): EditedFile {
  const [mark] = source.match(/^\uFEFF?/) ?? [''];
  const text = source.slice(mark.length).replaceAll('\r\n', '\n');
  const lines = new LineCounter();
  const documents = documentsIn(text, lines);
  const style: Style = { keepsFlow: true, hasFlow: false };
  const maps = new Map<number, YAMLMap>();
  const lists = new Map<YAMLMap, { readonly list: YAMLSeq; readonly document: Document }>();
  for (const document of documents) {
    keepPaddings(document, text, style);
    visit(document, {
      Map: (_, map) => {
        if (map.range) maps.set(map.range[0], map);
      },
      Seq: (_, list) => {
        for (const item of list.items) if (isMap(item)) lists.set(item, { list, document });
      },
    });
  }
  const mapAt: EditedFile['mapAt'] = ({ line, column }) =>
    maps.get((lines.lineStarts[line - 1] ?? 0) + column - 1);
  return {
    documents,
    mapAt,
    remove: span => {
      const map = mapAt(span);
      const found = map && lists.get(map);
      if (!found) return 'alias';
      const { list, document } = found;
      if (isRepeated(map, document)) return 'anchored';
      takeOut(list, new Set([map]));
      if (list.items.length === 0) list.flow = true;
      return 'removed';
    },
    text: () => withLineEnds(source, mark + keptText(text, documents, style)),
  };
}

// Whether an alias outside a mapping repeats an anchored part of the mapping.
function isRepeated(map: YAMLMap, document: Document): boolean {
  const anchors = new Set<string>();
  visit(map, {
    Value: (_, { anchor }) => {
      if (anchor !== undefined) anchors.add(anchor);
    },
  });
  let isFound = false;
  if (anchors.size > 0)
    visit(document, {
      Map: (_, node) => (node === map ? visit.SKIP : undefined),
      Alias: (_, { source }) => {
        isFound ||= anchors.has(source);
      },
    });
  return isFound;
}

function documentsIn(text: string, lineCounter: LineCounter): Document[] {
  const parsed = parseAllDocuments(text, {
    lineCounter,
    uniqueKeys: false,
    customTags: [escapedTag],
    keepSourceTokens: true,
  });
  return 'empty' in parsed ? [] : [...parsed];
}

// Replaces line breaks in lists that are printed as they were written. With real line breaks, the library would begin such a list
// on a new line. No YAML file contains this character.
const LINE_BREAK = '\0';

/** How the nodes of a file are printed. */
interface Style {
  /** Whether lists and mappings in brackets on several lines are printed as they are written. */
  keepsFlow: boolean;
  /** Whether the file has such lists or mappings. */
  hasFlow: boolean;
}

// The text with the changes of the documents; all other lines stay.
function keptText(text: string, documents: readonly Document[], style: Style): string {
  const layout = layoutOf(text);
  const printed = (all: readonly Document[]): string =>
    all
      .map(document => documentText(document, layout))
      .join('')
      .replaceAll(LINE_BREAK, '\n');
  style.keepsFlow = false;
  const after = printed(documents);
  const values = valuesOf(after);
  const { text: own, documents: before } = withoutRemovedItems(text, documents);
  for (const document of before) keepPaddings(document, own, style);
  // The result with kept lines is used only if it still means the same: lines of a differently formatted text may not fit between
  // the old ones.
  for (const keepsFlow of style.hasFlow ? [true, false] : [false]) {
    style.keepsFlow = keepsFlow;
    const forms = { before: printed(before), after: printed(documents) };
    const kept = withChangedLines(own, forms);
    if (isEqual(valuesOf(kept), values)) return kept;
  }
  return after;
}

// The text without the items that the edit removed, and its documents; the text itself if they cannot be cut from it.
function withoutRemovedItems(
  text: string,
  edited: readonly Document[],
): { readonly text: string; readonly documents: readonly Document[] } {
  const before = documentsIn(text, new LineCounter());
  const { text: own, cut: removed } = withoutRemoved(text, before, edited);
  if (removed.size === 0) return { text, documents: before };
  const cut = documentsIn(own, new LineCounter());
  const isCut = withCommentsOf(edited, { before, cut, removed });
  return isCut ? { text: own, documents: cut } : { text, documents: before };
}

const valuesOf = (text: string): unknown[] =>
  documentsIn(text, new LineCounter()).map(document =>
    document.errors.length > 0 ? document.errors : document.toJS({ maxAliasCount: -1 }),
  );

function keepPaddings(document: Document, text: string, style: Style): void {
  visit(document, { Collection: (_, node) => keepPadding(node, text, style) });
}

// Keeps the spacing of `[a]` and `{ a: b }`, also of brackets inside others. The library has one setting for all brackets, but
// people use both styles in one file.
function keepPadding(node: YAMLMap | YAMLSeq, text: string, style: Style): void {
  if (!node.flow || !node.range) return;
  const space = /\s/.test(text[node.range[0] + 1] ?? '') ? ' ' : '';
  const print = node.toString.bind(node);
  const written = keptFlow(node, text);
  if (written !== null) style.hasFlow = true;
  node.toString = (context, ...rest) =>
    (style.keepsFlow ? written?.()?.replaceAll('\n', LINE_BREAK) : null) ??
    print(context && padded(context, space), ...rest);
}

// The indentation of the first mapping, and whether lists are indented.
function layoutOf(text: string): { readonly indent: number; readonly indentSeq: boolean } {
  const lines = text.split('\n').filter(line => !/^\s*(#|$)/.test(line));
  const steps = lines.slice(1).flatMap((line, i) => {
    const [, dashes] = lines[i]?.match(/^([ -]*)[^\s#-][^#]*:\s*(?:#.*)?$/) ?? [];
    const step = line.search(/[^ ]/) - (dashes?.length ?? Number.NaN);
    return step >= 0 ? [{ step, isList: /^ *- /.test(line) }] : [];
  });
  const indent = steps.find(({ isList, step }) => !isList && step > 1)?.step ?? 2;
  return { indent, indentSeq: steps.find(({ isList }) => isList)?.step !== 0 };
}
