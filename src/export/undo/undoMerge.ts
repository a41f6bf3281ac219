// Removes the changes of a run from the present value: a three-way merge. Later changes of others stay.
import isEqual from 'fast-deep-equal';
import type { ListShape, Shape } from '../../kinds/kind.ts';
import { isEmpty } from '../../kinds/values/canonical.ts';
import { itemPairs, keyFields } from '../../kinds/values/items.ts';
import { isList, isObject, type Json } from '../../model/value.ts';

type Value = Json | undefined;

/** A value before the run, as the run left it, and now; all canonical, with references by id. */
export interface Sides {
  readonly before: Value;
  readonly after: Value;
  readonly now: Value;
}

/** The value of the undo. */
export interface Undone {
  readonly value: Value;
  /**
   * The value that the undo starts from: the present value, with the value of the run in place of what somebody changed after the
   * run.
   */
  readonly base: Value;
  /** Whether somebody changed a value that the run had changed. */
  readonly isConflict: boolean;
}

/** Undoes the change of a value. */
export function undone(shape: Shape | undefined, sides: Sides): Undone {
  const { before, after, now } = sides;
  if (same(before, after) || same(now, before)) return settled(now, now);
  if (same(now, after)) return settled(before, now);
  if (shape?.type === 'list' && shape.set && keyFields(shape)) return undoneItems(shape, sides);
  if (shape?.type === 'list' && shape.set) return undoneMembers(sides);
  if (isObject(before) && isObject(after) && isObject(now) && shape?.type !== 'choice') {
    const names = new Set([before, after, now].flatMap(Object.keys));
    const parts = [...names].map(name => {
      const part = { before: before[name], after: after[name], now: now[name] };
      return [name, undone(innerShape(shape, name), part)] as const;
    });
    return {
      value: objectOf(parts.map(([name, { value }]) => [name, value] as const)),
      base: objectOf(parts.map(([name, { base }]) => [name, base] as const)),
      isConflict: parts.some(([, { isConflict }]) => isConflict),
    };
  }
  return { value: before, base: after, isConflict: true };
}

/** Whether two canonical values mean the same. A missing number is 0 (docs/server-behaviour.md#json-bodies). */
export function same(one: Value, other: Value): boolean {
  return isEqual(one ?? null, other ?? null) || (isNothing(one) && isNothing(other));
}

const isNothing = (value: Value): boolean => isEmpty(value) || value === 0;

const settled = (value: Value, base: Value): Undone => ({ value, base, isConflict: false });

// Members are undone one by one: a single member cannot be in conflict.
function undoneMembers({ before, after, now }: Sides): Undone {
  const was = textsOf(before);
  const left = textsOf(after);
  const kept = list(now).filter(one => was.has(textOf(one)) || !left.has(textOf(one)));
  const here = textsOf(kept);
  const again = list(before).filter(one => !left.has(textOf(one)) && !here.has(textOf(one)));
  return settled([...kept, ...again], now);
}

// Items correspond by their keys. If exactly one item on each side is left over, it was renamed.
function undoneItems(shape: ListShape, sides: Sides): Undone {
  const by = keyFields(shape) ?? [];
  const before = list(sides.before);
  const after = list(sides.after);
  const now = list(sides.now);
  const formerOf = itemPairs(after, before, by);
  const currentOf = itemPairs(after, now, by);
  const isFormer = new Set<Json>(formerOf.values());
  const isCurrent = new Set<Json>(currentOf.values());
  const added = now.filter(one => !isCurrent.has(one));
  const gone = before.filter(one => !isFormer.has(one));
  const sameAgain = itemPairs(gone, added, by);
  const isAgain = new Set<Json>(sameAgain.values());
  const parts = [
    ...after.map(one => ({
      before: formerOf.get(one),
      after: one,
      now: currentOf.get(one),
    })),
    ...gone.map(one => ({ before: one, after: undefined, now: sameAgain.get(one) })),
    ...added
      .filter(one => !isAgain.has(one))
      .map(one => ({ before: undefined, after: undefined, now: one })),
  ].map(part => undone(shape.items, part));
  return {
    value: parts.flatMap(({ value }) => (value === undefined ? [] : [value])),
    base: parts.flatMap(({ base }) => (base === undefined ? [] : [base])),
    isConflict: parts.some(({ isConflict }) => isConflict),
  };
}

function innerShape(shape: Shape | undefined, name: string): Shape | undefined {
  if (shape?.type === 'object') return shape.fields.get(name)?.shape;
  return shape?.type === 'dict' ? shape.values : undefined;
}

function objectOf(entries: readonly (readonly [string, Value])[]): Json {
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}

const list = (value: Value): readonly Json[] => (isList(value) ? value : []);
const textOf = (value: Json): string => JSON.stringify(value);
const textsOf = (value: Value): ReadonlySet<string> => new Set(list(value).map(textOf));
