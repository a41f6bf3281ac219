// One change of a plan as lines: what it is, where it is declared, and every field that differs.
import type { Kind, Shape } from '../../kinds/kind.ts';
import { isEmpty } from '../../kinds/values/canonical.ts';
import { itemKey, keyFields } from '../../kinds/values/items.ts';
import type { FieldChange, MembersChange, ShownChange, ValueChange } from '../../model/change.ts';
import type { Shown, ShownFields } from '../../model/secrets/shown.ts';
import { largest } from '../../model/text/many.ts';
import { jsonString, nameText, visible } from '../../model/text/visible.ts';
import { isList, isObject } from '../../model/value.ts';
import type { Line, Sign } from '../text/lines.ts';
import { innerShape, pathText, shapeAt, valueText } from '../text/values.ts';
import { padded, textWidth } from '../text/width.ts';

const HEADLINE: Readonly<Record<ShownChange['type'], string>> = {
  create: 'will be created',
  update: 'will be updated in-place',
  replace: 'must be replaced',
  delete: 'will be destroyed',
};
const SIGN: Readonly<Record<ShownChange['type'], Sign>> = {
  create: '+',
  update: '~',
  replace: '-/+',
  delete: '-',
};

/** The headline that other tools look for, in OpenTofu's words. */
export function headline(change: ShownChange): string {
  return visible(`  # ${change.address} ${HEADLINE[change.type]}`);
}

/** Everything below the headline. */
export function changeLines(kind: Kind, change: ShownChange): Line[] {
  const title: Line = {
    sign: SIGN[change.type],
    depth: 0,
    text: `${kind.noun} ${jsonString(change.key)}`,
  };
  return [title, ...notes(change), ...bodyLines(kind, change)];
}

function bodyLines(kind: Kind, change: ShownChange): Line[] {
  const { after = {}, fields } = change;
  if (change.type === 'create')
    return [...blockLines('+', 1, kind.shape, after, defaultsOf(fields))];
  if (change.type === 'delete') return [];
  return fields.flatMap(field => fieldLines(kind, field));
}

function notes({ was, partOf, with: parent, id, type, notes: more }: ShownChange): Line[] {
  const texts = [
    partOf !== undefined && `part of ${jsonString(partOf)}`,
    was !== undefined && `was ${jsonString(was)}${type === 'update' ? '; its id stays' : ''}`,
    parent !== undefined && `deleted with ${parent}`,
    type === 'delete' && parent === undefined && id !== undefined && `id ${id}`,
    ...more,
  ];
  return texts.flatMap(text => (text ? [{ sign: ' ', depth: 1, text } satisfies Line] : []));
}

const defaultsOf = (fields: readonly FieldChange<Shown>[]): ReadonlySet<string> =>
  new Set(fields.filter(field => field.byDefault).map(({ path }) => path[0] ?? ''));

// A whole object: its fields with their equal signs under each other, items of keyed lists as blocks of their own.
function blockLines(
  sign: Sign,
  depth: number,
  shape: Shape | undefined,
  value: ShownFields,
  defaults: ReadonlySet<string>,
): Line[] {
  const fields = Object.entries(value).filter(([, item]) => !isEmpty(item));
  const flat = fields.filter(([name, item]) => keyedItems(innerShape(shape, name), item) === null);
  const width = largest(
    0,
    flat.map(([name]) => textWidth(nameText(name))),
  );
  return fields.flatMap(([name, item]): Line[] => {
    const inner = innerShape(shape, name);
    const label = nameText(name);
    const items = keyedItems(inner, item);
    if (items)
      return items.flatMap(([key, part]) =>
        itemLines(sign, depth, `${label}[${jsonString(key)}]`, inner, part),
      );
    const mark = defaults.has(name) ? ' (default)' : '';
    return [{ sign, depth, text: `${padded(label, width)} = ${valueText(inner, item)}${mark}` }];
  });
}

function itemLines(
  sign: Sign,
  depth: number,
  label: string,
  list: Shape | undefined,
  item: ShownFields,
): Line[] {
  return [{ sign, depth, text: label }, ...itemBody(sign, depth + 1, list, item)];
}

// The label already says the key of an item. One of several fields is shown: the label does not say which part is which.
function itemBody(sign: Sign, depth: number, list: Shape | undefined, item: ShownFields): Line[] {
  const by = keyFields(list) ?? [];
  const rest = Object.entries(item).filter(([name]) => by.length !== 1 || name !== by[0]);
  const shape = list?.type === 'list' ? list.items : undefined;
  return blockLines(sign, depth, shape, Object.fromEntries(rest), new Set());
}

function keyedItems(shape: Shape | undefined, value: Shown): [string, ShownFields][] | null {
  const by = keyFields(shape);
  if (by === undefined || !isList(value)) return null;
  return value.flatMap(item => (isObject(item) ? [[itemKey(item, by), item]] : []));
}

function fieldLines(kind: Kind, field: FieldChange<Shown>): Line[] {
  return field.type === 'members' ? membersLines(kind, field) : valueLines(kind, field);
}

function valueLines(kind: Kind, change: ValueChange<Shown>): Line[] {
  const { path, before, after } = change;
  const shape = shapeAt(kind.shape, path);
  const label = pathText(kind.shape, path);
  const sign: Sign = before === undefined ? '+' : after === undefined ? '-' : '~';
  const whole = after ?? before;
  if (sign !== '~' && isObject(whole) && shape?.type === 'object') {
    const list = shapeAt(kind.shape, path.slice(0, -1));
    const body = keyFields(list)
      ? itemBody(sign, 2, list, whole)
      : blockLines(sign, 2, shape, whole, new Set());
    return [{ sign, depth: 1, text: `${label}${marks(change)}` }, ...body];
  }
  const values = [before, after]
    .filter(value => value !== undefined)
    .map(value => valueText(shape, value));
  return [{ sign, depth: 1, text: `${label} = ${values.join(' -> ')}${marks(change)}` }];
}

function membersLines(kind: Kind, change: MembersChange<Shown>): Line[] {
  const shape = shapeAt(kind.shape, change.path);
  const items = shape?.type === 'list' ? shape.items : undefined;
  const member =
    (sign: Sign) =>
    (value: Shown): Line => ({ sign, depth: 2, text: valueText(items, value) });
  return [
    { sign: '~', depth: 1, text: `${pathText(kind.shape, change.path)}${marks(change)}` },
    ...change.added.map(member('+')),
    ...change.removed.map(member('-')),
    ...unchanged(change),
  ];
}

function unchanged({ kept, foreign }: MembersChange<Shown>): Line[] {
  const texts = [
    kept.length > 0 && `${kept.length} unchanged`,
    foreign.length > 0 &&
      `${foreign.length} not declared, left in place: ${foreign.map(member => nameText(String(member))).join(', ')}`,
  ].filter(text => text !== false);
  return texts.length > 0 ? [{ sign: ' ', depth: 2, text: `(${texts.join('; ')})` }] : [];
}

function marks({ byDefault, replaces, since }: FieldChange<Shown>): string {
  const marks = [
    byDefault && ' (default)',
    since !== undefined && since !== 'pending' && ` (${since})`,
    replaces && ' # forces replacement',
  ];
  return marks.filter(Boolean).join('');
}
