// Replaces a value inside another value by the value at the same path in a third value.
import type { ListShape, Shape } from '../../kinds/kind.ts';
import { itemKey, itemPairs, keyFields } from '../../kinds/values/items.ts';
import { isList, isObject, type Json, type Path } from '../../model/value.ts';

/**
 * `ours`, with the value at `path` from `theirs`; undefined if nothing is left. As in changes, a
 * path contains the keys of items in keyed lists.
 */
export function substituted(
  shape: Shape,
  ours: Json | undefined,
  theirs: Json | undefined,
  path: Path,
): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return theirs;
  if (shape.type === 'list') return itemTakenOver(shape, ours, theirs, [step, ...rest]);
  const inner = innerShape(shape, step);
  if (!inner) return theirs;
  const own = isObject(ours) ? ours : {};
  const its = isObject(theirs) ? theirs : {};
  const value = substituted(inner, own[step], its[step], rest);
  const others = Object.entries(own).filter(([name]) => name !== step);
  return Object.fromEntries([...others, ...(value === undefined ? [] : [[step, value] as const])]);
}

function innerShape(shape: Shape, step: string): Shape | undefined {
  if (shape.type === 'object') return shape.fields.get(step)?.shape;
  return shape.type === 'dict' ? shape.values : undefined;
}

// An item, with the name from `ours` or, if that has no name there, from `theirs`.
function itemTakenOver(
  shape: ListShape,
  ours: Json | undefined,
  theirs: Json | undefined,
  [step, ...rest]: readonly [string, ...Path],
): Json {
  const by = keyFields(shape) ?? [];
  const own = isList(ours) ? ours : [];
  const its = isList(theirs) ? theirs : [];
  const isCalled = (item: Json) => itemKey(item, by) === step;
  const mine = own.find(isCalled);
  const other = (mine && itemPairs(own, its, by).get(mine)) ?? its.find(isCalled);
  const item = substituted(shape.items, mine, other, rest);
  const others = own.filter(one => one !== mine);
  return item === undefined ? others : [...others, item];
}
