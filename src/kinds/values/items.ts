// Items of keyed lists: their keys, and which items of two lists correspond.
import isEqual from 'fast-deep-equal';
import { keyOf } from '../../model/key.ts';
import { isList, isObject, type Json, type JsonObject, type Path } from '../../model/value.ts';
import type { Shape } from '../kind.ts';

/** The fields that together identify the items of a list; undefined for a value that is not a keyed list. */
export function keyFields(shape: Shape | undefined): readonly string[] | undefined {
  return shape?.type === 'list' && shape.set ? shape.set.by : undefined;
}

/**
 * The key of an item: the text of its key field. If there are several key fields, they are joined by slashes, with slashes inside
 * them escaped. So two items share a key only if all their key fields are equal.
 */
export function itemKey(item: Json | undefined, by: readonly string[]): string {
  return keyOf(by.map(name => partText(isObject(item) ? item[name] : undefined)));
}

function partText(part: Json | undefined): string {
  if (part === undefined || part === null) return '';
  return typeof part === 'object' ? JSON.stringify(part) : String(part);
}

/** `path` with the keys of items in place of their indexes. */
export function keyedPath(shape: Shape | undefined, value: Json | undefined, path: Path): Path {
  const [step, ...rest] = path;
  if (step === undefined || !shape) return path;
  if (shape.type === 'list') {
    const item = isList(value) ? value[Number(step)] : undefined;
    const by = keyFields(shape);
    return [by ? itemKey(item, by) : step, ...keyedPath(shape.items, item, rest)];
  }
  const inner = isObject(value) ? value[step] : undefined;
  const field = shape.type === 'object' ? shape.fields.get(step)?.shape : undefined;
  return [step, ...keyedPath(shape.type === 'dict' ? shape.values : field, inner, rest)];
}

/** The inverse of `keyedPath`: the path with the indexes of items in place of their keys; undefined if an item does not exist. */
export function indexedPath(
  shape: Shape | undefined,
  value: Json | undefined,
  path: Path,
): Path | undefined {
  const [step, ...rest] = path;
  if (step === undefined || !shape) return path;
  if (shape.type === 'list') {
    const by = keyFields(shape);
    const items = isList(value) ? value : [];
    const index = by ? items.findIndex(item => itemKey(item, by) === step) : Number(step);
    const inner = index < 0 ? undefined : indexedPath(shape.items, items[index], rest);
    return inner && [String(index), ...inner];
  }
  const own = isObject(value) ? value[step] : undefined;
  const field = shape.type === 'object' ? shape.fields.get(step)?.shape : undefined;
  const inner = indexedPath(shape.type === 'dict' ? shape.values : field, own, rest);
  return inner && [step, ...inner];
}

/** The value at `path`, which addresses the items of keyed lists by their keys. */
export function valueAt(
  shape: Shape | undefined,
  value: Json | undefined,
  path: Path,
): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (isList(value)) {
    const by = keyFields(shape);
    const item = by ? value.find(one => itemKey(one, by) === step) : value[Number(step)];
    return valueAt(shape?.type === 'list' ? shape.items : undefined, item, rest);
  }
  const field = shape?.type === 'object' ? shape.fields.get(step)?.shape : undefined;
  const inner = isObject(value) ? value[step] : undefined;
  return valueAt(shape?.type === 'dict' ? shape.values : field, inner, rest);
}

/** Gives texts to the items of two lists, so that corresponding items have equal texts. */
export interface ItemKeys {
  readonly wanted: (item: Json) => string;
  readonly shown: (item: JsonObject) => string;
  /** Whether two items are equal as a whole. It chooses among several live items with the same key, which a server may store. */
  readonly isEqual: (item: Json, live: JsonObject) => boolean;
}

/**
 * The live item of each desired item. If one item is left on each side, it counts as renamed: the server identifies items by id,
 * so keeping the id keeps all references to the item.
 */
export function itemPairs(
  desired: readonly Json[],
  live: readonly Json[],
  by: readonly string[],
): Map<Json, JsonObject> {
  const keyOfItem = (item: Json) => itemKey(item, by);
  const keys = { wanted: keyOfItem, shown: keyOfItem, isEqual };
  return pairedByKey(desired, live.filter(isObject), keys);
}

/** The live item of each desired item, for lists whose two sides are written differently. */
export function pairedByKey(
  desired: readonly Json[],
  live: readonly JsonObject[],
  keys: ItemKeys,
): Map<Json, JsonObject> {
  const pairs = samePairs(desired, live, keys);
  const taken = new Set(pairs.values());
  const [desiredLeft, ...moreDesired] = desired.filter(item => !pairs.has(item));
  const [liveLeft, ...moreLive] = live.filter(item => !taken.has(item));
  if (desiredLeft && liveLeft && moreDesired.length + moreLive.length === 0) {
    pairs.set(desiredLeft, liveLeft);
  }
  return pairs;
}

/** The live item with the same text as each desired item. */
export function samePairs(
  desired: readonly Json[],
  live: readonly JsonObject[],
  keys: ItemKeys,
): Map<Json, JsonObject> {
  const byKey = Map.groupBy(live, keys.shown);
  const pairs = new Map<Json, JsonObject>();
  for (const item of desired) {
    const same = (isObject(item) ? byKey.get(keys.wanted(item)) : undefined) ?? [];
    const isOne = same.length < 2;
    const found = isOne ? same[0] : (same.find(one => keys.isEqual(item, one)) ?? same.at(-1));
    if (found) pairs.set(item, found);
  }
  return pairs;
}
