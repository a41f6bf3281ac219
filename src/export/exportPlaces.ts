// Finds the object, and the field, at a position in the text of an export.
import {
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLMap,
} from 'yaml';
import type { KindTable } from '../kinds/kind.ts';
import type { Span } from '../model/diagnostic.ts';
import type { Exported, ExportModel } from './model.ts';
import { childLists } from './yaml/nodes.ts';

/** An object, or one of its fields. */
interface Place {
  readonly object: Exported;
  readonly field?: string;
}

/** Finds the innermost object at a place in the text of `oneFile`, and the field of the object at that place. */
export type PlaceAt = (span: Span) => Place | undefined;

interface Range extends Place {
  readonly start: number;
  readonly end: number;
}

/** A finder for `text`, which is `model` as one file. */
export function placeFinder(text: string, model: ExportModel, kinds: KindTable): PlaceAt {
  const lines = new LineCounter();
  const { contents } = parseDocument(text, { lineCounter: lines });
  const ranges: Range[] = [];
  const visit = (node: unknown, object: Exported): void => {
    if (!isMap(node) || !node.range) return;
    ranges.push({ object, start: node.range[0], end: node.range[2] }, ...fieldRanges(node, object));
    for (const [key, children] of childLists(object, kinds)) {
      const list = node.get(key);
      for (const [i, child] of children.entries()) visit(itemAt(list, i), child);
    }
  };
  for (const [at, objects] of Map.groupBy(model.objects, ({ kind }) => kind.at)) {
    const holder = at
      .split('.')
      .reduce<unknown>((node, step) => valueAt(node, step.replace('[]', '')), contents);
    for (const [i, object] of objects.entries())
      visit(at.endsWith('[]') ? itemAt(holder, i) : holder, object);
  }
  return ({ line, column }) => {
    const offset = (lines.lineStarts[line - 1] ?? 0) + column - 1;
    // Children come after their parents.
    return ranges.findLast(({ start, end }) => start <= offset && offset < end);
  };
}

function fieldRanges({ items }: YAMLMap, object: Exported): Range[] {
  return items.flatMap(({ key, value }) => {
    if (!isScalar(key) || !key.range) return [];
    const end = isNode(value) ? value.range?.[2] : undefined;
    const [start, , afterKey] = key.range;
    return [{ object, field: String(key.value), start, end: end ?? afterKey }];
  });
}

const itemAt = (list: unknown, i: number): unknown => (isSeq(list) ? list.items[i] : undefined);

const valueAt = (node: unknown, key: string): unknown =>
  isMap(node) ? (node as YAMLMap<Node, Node>).get(key, true) : undefined;
