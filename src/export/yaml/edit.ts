// Edits values in a YAML document: unchanged parts keep their comments and layout.
import isEqual from 'fast-deep-equal';
import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  Pair,
  type Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { ObjectShape, Shape } from '../../kinds/kind.ts';
import { isEmpty } from '../../kinds/values/canonical.ts';
import { itemKey, keyFields } from '../../kinds/values/items.ts';
import { addAll } from '../../model/text/longLists.ts';
import { type Fields, isList, isObject, type Json } from '../../model/value.ts';
import { takeOut } from './itemComments.ts';
import { valueNode } from './nodes.ts';
import { isEscaped, keyNode } from './scalars.ts';

/**
 * Sets a field of an object to `value`, or removes it if `value` is undefined. A value with an anchor stays, because it is also
 * used elsewhere. Returns what was done: `same` if the field already had the value.
 */
export function setField(
  map: YAMLMap,
  { name, order, shape }: { name: string; order: readonly string[]; shape: Shape | undefined },
  value: Json | undefined,
): 'set' | 'same' | 'anchored' {
  const at = map.items.findIndex(pair => keyText(pair) === name);
  const pair = map.items[at];
  if (pair && isAnchored(pair.value)) return 'anchored';
  if (pair && isNode(pair.value) && isEqual(plain(pair.value), value)) return 'same';
  if (value === undefined) {
    if (!pair) return 'same';
    map.items.splice(at, 1);
  } else if (pair) pair.value = changed(pair.value, value, shape);
  else insert(map, new Pair(keyNode(name), valueNode(value)), order);
  return 'set';
}

/** Inserts a pair according to the order of keys; unknown keys come last. */
export function insert(map: YAMLMap, pair: Pair<Scalar, Node>, order: readonly string[]): void {
  const place = (key: string): number => (order.includes(key) ? order.indexOf(key) : order.length);
  const own = place(String(pair.key.value));
  const next = map.items.findIndex(other => place(keyText(other)) > own);
  map.items.splice(next < 0 ? map.items.length : next, 0, pair);
}

/** The key of a pair as text. */
export function keyText({ key }: Pair<unknown, unknown>): string {
  return isScalar(key) ? String(key.value) : String(key);
}

function isAnchored(node: unknown): boolean {
  let found = false;
  if (isNode(node))
    visit(node, (_, inner) => {
      if (isNode(inner) && !isAlias(inner) && inner.anchor !== undefined) found = true;
      return found ? visit.BREAK : undefined;
    });
  return found;
}

function changed(node: unknown, value: Json, shape: Shape | undefined): Node {
  if (isMap(node) && isObject(value)) return changedMap(node, value, shape);
  if (isSeq(node) && isList(value)) return changedList(node, value, shape);
  if (isNode(node) && isEqual(plain(node), value)) return node;
  const fresh = valueNode(value);
  if (isNode(node)) keepStyle(fresh, node);
  return fresh;
}

// A new value keeps the comments and quotes of the former one.
function keepStyle(fresh: Node, node: Node): void {
  if (node.commentBefore) fresh.commentBefore = node.commentBefore;
  if (node.comment) fresh.comment = node.comment;
  if (node.spaceBefore) fresh.spaceBefore = true;
  if (isScalar(node) && isScalar(fresh)) keepQuotes(fresh, node);
}

function keepQuotes(fresh: Scalar, { type }: Scalar): void {
  const isQuoted = type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE';
  if (isQuoted && !isEscaped(fresh) && typeof fresh.value === 'string') fresh.type = type;
}

function changedMap(map: YAMLMap, value: Fields, shape: Shape | undefined): YAMLMap {
  const fields = shape?.type === 'object' ? shape.fields : undefined;
  const order = [...(fields?.keys() ?? [])];
  map.items = map.items.filter(
    pair => keyText(pair) in value || isImplied(shape, keyText(pair), plain(pair.value)),
  );
  for (const [key, item] of Object.entries(value)) {
    const inner = fields?.get(key)?.shape ?? (shape?.type === 'dict' ? shape.values : undefined);
    setField(map, { name: key, order, shape: inner }, item);
  }
  return map;
}

/** Whether a value may be omitted: an explicit default is no difference. */
export function isImplied(shape: Shape | undefined, key: string, value: Json | undefined): boolean {
  const field = shape?.type === 'object' ? (shape as ObjectShape).fields.get(key) : undefined;
  if (!field) return false;
  return field.default === undefined ? isEmpty(value) : isEqual(value, field.default);
}

function changedList(list: YAMLSeq, value: readonly Json[], shape: Shape | undefined): YAMLSeq {
  const items = shape?.type === 'list' ? shape.items : undefined;
  const by = keyFields(shape);
  const nameOf = (item: Json | undefined): string =>
    by !== undefined && isObject(item) ? itemKey(item, by) : JSON.stringify(item ?? null);
  const isEnding = (item: unknown): boolean => items?.type === 'scalar' && isMap(item);
  // A member with an expiry is written as a mapping with its name. If the member stays, its expiry stays too.
  const memberOf = (item: unknown): Json | undefined => {
    const written = plain(item);
    return isEnding(item) && isObject(written) ? written.name : written;
  };
  const isOrdered = shape?.type === 'list' && !shape.set;
  const wanted = new Wanted(
    value.map(item => [nameOf(item), item]),
    isOrdered,
  );
  const kept = list.items.flatMap(item => {
    const found = wanted.take(nameOf(memberOf(item)));
    return found ? [{ item, ...found }] : [];
  });
  const places = new Map<unknown, number>();
  const placed = <Entry>(node: Entry, { place }: WantedEntry): Entry => {
    places.set(node, place);
    return node;
  };
  const fresh = wanted.left().map(one => placed(valueNode(one.value), one));
  const style = styleOf(list);
  const [added] = fresh;
  if (!isReplaced(style, kept, added))
    takeOut(
      list,
      goneFrom(
        list,
        kept.map(({ item }) => item),
      ),
      { added },
    );
  list.items = kept.map(one => {
    const { item } = one;
    return placed(isEnding(item) && isNode(item) ? item : changed(item, one.value, items), one);
  });
  addFresh(list, fresh, style);
  if (isOrdered) list.items.sort((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
  return list;
}

/** An entry that a list must contain after the edit, and its position. */
interface WantedEntry {
  readonly value: Json;
  readonly place: number;
}

/** The entries that a list must contain after the edit, by name. Only a list with an order may have equal entries. */
class Wanted {
  readonly #byName = new Map<string, WantedEntry[]>();
  readonly #taken = new Set<WantedEntry>();
  readonly #isOrdered: boolean;

  constructor(entries: readonly (readonly [string, Json])[], isOrdered: boolean) {
    this.#isOrdered = isOrdered;
    for (const [place, [name, value]] of entries.entries()) {
      const same = isOrdered ? (this.#byName.get(name) ?? []) : [];
      this.#byName.set(name, [...same, { value, place }]);
    }
  }

  /** Takes the entry with this name; if the list has an order, the first such entry that was not taken before. */
  take(name: string): WantedEntry | undefined {
    const found = (this.#byName.get(name) ?? []).find(
      one => !this.#isOrdered || !this.#taken.has(one),
    );
    if (found) this.#taken.add(found);
    return found;
  }

  /** The entries that were not taken. */
  left(): readonly WantedEntry[] {
    return [...this.#byName.values()].flat().filter(one => !this.#taken.has(one));
  }
}

/** How a list is written before an edit. */
interface ListStyle {
  readonly isFlow: boolean;
  readonly items: readonly unknown[];
}

/** How a list is written. */
export const styleOf = ({ flow, items }: YAMLSeq): ListStyle => ({
  isFlow: flow === true,
  items: [...items],
});

// Whether the only entry was changed in place: a mapping without a name, such as a range of ports, counts as the same entry with
// other values. Entries with other names are different entries.
const isReplaced = (
  { items: [former, ...others] }: ListStyle,
  stays: readonly unknown[],
  added: Node | undefined,
): boolean => stays.length === 0 && others.length === 0 && isMap(added) && isMap(former);

const goneFrom = ({ items }: YAMLSeq, stays: readonly unknown[]): ReadonlySet<unknown> =>
  new Set(items).difference(new Set(stays));

/** Adds entries to a list, written as the list was before entries were taken out of it. */
export function addFresh(list: YAMLSeq, fresh: readonly Node[], style = styleOf(list)): void {
  const { isFlow, items } = style;
  for (const node of fresh) writeLike(node, items);
  const [first] = fresh;
  const [former] = items;
  if (isReplaced(style, list.items, first) && first && isNode(former)) keepStyle(first, former);
  addAll(list.items, fresh);
  if (list.items.length === 0) list.flow = true;
  else if (items.length > 0) list.flow = isFlow;
  else if (fresh.some(node => !isScalar(node))) list.flow = false;
}

// New entries have the quotes, or the lines, that all former ones have.
function writeLike(node: Node, items: readonly unknown[]): void {
  if (isMap(node)) {
    const maps = items.filter(isMap);
    if (maps.length > 0 && maps.every(({ flow }) => flow !== true)) node.flow = false;
  } else if (isScalar(node)) {
    const [like, ...others] = items.filter(item => isScalar(item));
    if (like && others.every(({ type }) => type === like.type)) keepQuotes(node, like);
  }
}

/** The value of a node. An alias has none: an alias without an anchor was reported when the file was read. */
export function plain(node: unknown): Json | undefined {
  if (!isNode(node)) return undefined;
  return isAlias(node) ? undefined : (node.toJSON() as Json);
}
