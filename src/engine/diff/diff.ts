// The differences between two canonical objects, field by field. The desired side decides which fields are compared.
import isEqual from 'fast-deep-equal';
import type { DictShape, Field, ListShape, ObjectShape, Shape } from '../../kinds/kind.ts';
import { isEmpty } from '../../kinds/values/canonical.ts';
import { fieldsExcludedBy, shownBeside } from '../../kinds/values/exclusive.ts';
import { itemKey, itemPairs } from '../../kinds/values/items.ts';
import type { FieldChange, ValueChange } from '../../model/change.ts';
import { isSecret } from '../../model/secrets/secret.ts';
import {
  type Fields,
  isList,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  type Path,
} from '../../model/value.ts';
import { isSharedSet, sharedSetChange, wholeSetChange } from './setChanges.ts';

/** The inputs of a comparison besides the two sides. */
export interface DiffOptions {
  /**
   * The fields as written in the files. A desired field that is not among them has its default
   * value.
   */
  readonly written: Fields;
  /** Fields that another system owns. */
  readonly ignore: ReadonlySet<string>;
  /** Shared sets that the files own completely. */
  readonly exact: ReadonlySet<string>;
  /**
   * The declaration in the base. Members of shared sets that are declared only there are removed.
   */
  readonly base: Fields;
  /** The members of shared sets whose end time has passed. They are removed too. */
  readonly beforeEnds?: Fields;
}

/** The differences between two canonical objects; empty if the objects are equivalent. */
export function diffFields(
  shape: ObjectShape,
  desired: Fields,
  live: Fields,
  options: DiffOptions,
): FieldChange[] {
  const displaced = fieldsExcludedBy(shape, desired);
  const beside = shownBeside(shape, desired, live);
  return [...shape.fields.values()].flatMap((field): FieldChange[] => {
    if (options.ignore.has(field.name) || beside.has(field.name) || !isCompared(field)) return [];
    const after = displaced.has(field.name) ? undefined : desired[field.name];
    if (after === undefined && !displaced.has(field.name) && !field.shared) return [];
    const changes = diffField(field, after, live[field.name], options);
    const isFixed = field.immutable || (field.irreversible && live[field.name] === true);
    return isFixed ? changes.map(change => ({ ...change, replaces: true })) : changes;
  });
}

/** Whether a field can be compared. Write-only fields cannot. */
export function isCompared(field: Field): boolean {
  return (
    !field.readOnly && !field.writeOnly && !field.inputOnly && !field.sentBack && !field.writtenAs
  );
}

function diffField(
  field: Field,
  after: Json | undefined,
  before: Json | undefined,
  { exact, base, written, beforeEnds = {} }: DiffOptions,
): FieldChange[] {
  const path = [field.name];
  if (isSharedSet(field, exact)) {
    const change = sharedSetChange(path, listOf(after), listOf(before), [
      ...listOf(base[field.name]),
      ...listOf(beforeEnds[field.name]),
    ]);
    return change ? [change] : [];
  }
  if (field.shared && after === undefined) return [];
  return diffValue(field.shape, { path, after, before, written: written[field.name] });
}

/** One value on both sides, and the value as written in the file. */
interface Sides<Value> {
  readonly path: Path;
  readonly after: Value;
  readonly before: Value;
  readonly written: Json | undefined;
}

function diffValue(shape: Shape, sides: Sides<Json | undefined>): FieldChange[] {
  const { path, after, before, written } = sides;
  if (isEmpty(after) && isEmpty(before)) return [];
  // A missing number is 0 (docs/server-behaviour.md#json-bodies).
  if (after === 0 && before === undefined) return [];
  // A secret in the account is never compared. Whether the declared value is sent again depends on its source.
  if (isSecret(before) && after !== undefined) return [];
  // A secret in the files is not compared either. Some servers show its value in clear text, but
  // the declared value is unknown here.
  if (isSecret(after) && shape.type === 'scalar' && !isEmpty(before)) return [];
  if (shape.type === 'list' && shape.set && isList(after) && isList(before)) {
    const { by } = shape.set;
    if (by !== undefined) return diffItems(shape, by, { path, after, before, written });
    const change = wholeSetChange(path, after, before);
    return change ? [{ ...change, ...byDefault(written) }] : [];
  }
  if (shape.type === 'object' && isObject(after) && isObject(before)) {
    return diffObject(shape, { path, after, before, written });
  }
  if (shape.type === 'dict' && isObject(after) && isObject(before)) {
    return diffDict(shape, path, after, before);
  }
  return isEqual(after, before) ? [] : [valueChange(sides)];
}

function diffObject(
  shape: ObjectShape,
  { path, after, before, written }: Sides<JsonObject>,
): FieldChange[] {
  const isDeclared = (name: string): boolean => !shape.keepsInside || after[name] !== undefined;
  const compared = [...shape.fields.values()].filter(
    field => isCompared(field) && isDeclared(field.name),
  );
  return compared.flatMap(({ name, shape: inner }) => {
    return diffValue(inner, {
      path: [...path, name],
      after: after[name],
      before: before[name],
      written: isObject(written) ? written[name] : undefined,
    });
  });
}

function diffItems(
  shape: ListShape,
  by: readonly string[],
  { path, after, before, written }: Sides<readonly Json[]>,
): FieldChange[] {
  const pairs = itemPairs(after, before, by);
  const paired = new Set(pairs.values());
  const keyOf = (item: Json): string => itemKey(item, by);
  // If two items have the same key, the first item counts.
  const writtenItems = new Map(
    (isList(written) ? written : []).toReversed().map(item => [keyOf(item), item]),
  );
  const changed = after.flatMap((item): FieldChange[] => {
    const live = pairs.get(item);
    const here = [...path, keyOf(item)];
    const writtenItem = writtenItems.get(keyOf(item));
    return live
      ? diffValue(shape.items, { path: here, after: item, before: live, written: writtenItem })
      : [{ type: 'value', path: here, after: item }];
  });
  const gone = before.filter(item => isObject(item) && !paired.has(item));
  return [
    ...changed,
    ...gone.map((item): ValueChange => {
      return { type: 'value', path: [...path, keyOf(item)], before: item };
    }),
  ];
}

function diffDict(
  shape: DictShape,
  path: Path,
  after: JsonObject,
  before: JsonObject,
): FieldChange[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return keys.flatMap(key => {
    const sides = {
      path: [...path, key],
      after: after[key],
      before: before[key],
      written: after[key],
    };
    if (after[key] !== undefined && before[key] !== undefined) {
      return diffValue(shape.values, sides);
    }
    return [valueChange(sides)];
  });
}

function valueChange({ path, before, after, written }: Sides<Json | undefined>): ValueChange {
  return {
    type: 'value',
    path,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after, ...byDefault(written) }),
  };
}

// Whether a desired value is only the default of the field, because the files do not contain it.
const byDefault = (written: Json | undefined) =>
  written === undefined ? ({ byDefault: true } as const) : {};
