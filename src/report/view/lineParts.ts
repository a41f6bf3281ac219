// The parts of an object that form its short line, and the values of the fields that the kind declares for the line.
import type { Kind, ObjectShape, Shape } from '../../kinds/kind.ts';
import { isEmpty } from '../../kinds/values/canonical.ts';
import type { Shown, ShownFields } from '../../model/secrets/shown.ts';
import { isList, isObject } from '../../model/value.ts';
import { innerShape } from '../text/values.ts';

/** The fields that a line uses: those of the declared object, or those of an item of its list. */
export interface Part {
  readonly shape: Shape | undefined;
  readonly fields: ShownFields;
  /** The path of the list that contains the item; empty for the declared object. */
  readonly list: string;
}

/** The declared object as a part. */
export const wholePart = ({ shape }: Kind, fields: ShownFields): Part => ({
  shape,
  fields,
  list: '',
});

/** The items of the list to which the fields of the line belong; null if they belong to no list. */
export function itemParts(kind: Kind, fields: ShownFields): readonly Part[] | null {
  const list = listOf(kind);
  return list === undefined ? null : itemsOf(kind.shape, list, fields);
}

function listOf({ line = {}, shape }: Kind): string | undefined {
  const { above: _, opens: __, closes: ___, ...roles } = line;
  const paths = Object.values(roles).flat();
  const firsts = paths.flatMap(path => path.split('.').slice(0, -1).slice(0, 1));
  return firsts.find(name => shape.fields.get(name)?.shape.type === 'list');
}

function itemsOf(shape: ObjectShape, list: string, fields: ShownFields): readonly Part[] {
  const inner = innerShape(shape, list);
  const items = fields[list];
  if (!isList(items)) return [];
  const itemShape = inner?.type === 'list' ? inner.items : undefined;
  return items.flatMap(item => (isObject(item) ? [{ shape: itemShape, fields: item, list }] : []));
}

/** A value and its shape. */
export interface Found {
  readonly shape: Shape | undefined;
  readonly value: Shown;
}

/** The values at a path; empty if the path does not lead through this part, or if there is no value. */
export function valuesAt({ shape, fields, list }: Part, path: string): readonly Found[] {
  const steps = path.split('.');
  if (list !== '' && steps.shift() !== list) return [];
  let found: Found = { shape, value: fields };
  for (const step of steps) {
    const inner = isObject(found.value) ? found.value[step] : undefined;
    if (inner === undefined) return [];
    found = { shape: innerShape(found.shape, step), value: inner };
  }
  return isEmpty(found.value) ? [] : [found];
}
