// The entries of a list or mapping in brackets with their places in the text, as they were before an edit.
import { isCollection, isNode, isPair, type Node, type YAMLMap, type YAMLSeq } from 'yaml';

export type Collection = YAMLMap | YAMLSeq;

/** A collection with its entries before the edit. */
export interface Remembered {
  readonly node: Collection;
  readonly entries: readonly Entry[];
}

/** An entry, and where it is in the text. */
export interface Entry extends Extent {
  readonly item: unknown;
  readonly value: unknown;
  readonly inner: Remembered | null;
}

/** A part of a text. */
export interface Extent {
  readonly from: number;
  readonly to: number;
}

/** Remembers a collection and the collections inside it. */
export function remembered(node: Collection): Remembered {
  const entries = itemsOf(node).map((item): Entry => {
    const value = entryValue(item);
    const inner = isCollection(value) ? remembered(value as Collection) : null;
    return { item, value, ...extentOf(item), inner };
  });
  return { node, entries };
}

/** The entries of a collection: nodes of a list, pairs of a mapping. */
export const itemsOf = (node: Collection): readonly unknown[] => node.items;

/** The value of an entry. */
export const entryValue = (item: unknown): unknown => (isPair(item) ? item.value : item);

/** Where an entry is in the text that was parsed. */
export function extentOf(item: unknown): Extent {
  const [from = 0, end = from] = rangeOf(isPair(item) ? item.key : item);
  const [, to = end] = rangeOf(entryValue(item));
  return { from, to: Math.max(end, to) };
}

const rangeOf = (node: unknown): readonly number[] =>
  isNode(node) ? ((node as Node).range ?? []) : [];

/**
 * The entries that stay in the text because the edit kept them. If the edit replaced all of them, the first entry stays: the
 * first new entry takes its place.
 */
export function staying({ node, entries }: Remembered): readonly Entry[] {
  const now = new Set(itemsOf(node));
  const left = entries.filter(({ item }) => now.has(item));
  return left.length === 0 && now.size > 0 ? entries.slice(0, 1) : left;
}
